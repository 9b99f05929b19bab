//! The system's file dialog, on a thread of its own: without a portal it answers nothing at once, and
//! with a broken one it may hang; the window must feel neither.

use crate::app::jobs::Answer;
use crate::base::spawn;
use crate::formats::IMPORTERS;

/// Asks for files, or for a folder; `done` hears what was chosen, if anything was.
pub(crate) fn ask(folder: bool, done: Box<dyn FnOnce(Answer) + Send>) {
    let work = move || {
        let endings: Vec<&str> = IMPORTERS
            .iter()
            .flat_map(|it| it.endings())
            .copied()
            .collect();
        let dialog = rfd::FileDialog::new();
        if folder {
            dialog.pick_folder().map(|it| vec![it])
        } else {
            dialog
                .add_filter("Traces", &endings)
                .add_filter("All files", &["*"])
                .pick_files()
        }
    };
    let end = move |result: Result<_, _>| {
        match result {
        Ok(Some(paths)) => done(Answer::Chosen(paths)),
        Ok(None) => done(Answer::Fault("No file was chosen. Where no dialog appears, drop files on the window, or type a path on the start screen".to_owned())),
        Err(error) => done(Answer::Fault(crate::base::JobError::to_string(&error))),
    }
    };
    // Without a thread there is no dialog, and nothing else is lost.
    spawn("open dialog", work, end).map(drop).ok();
}
