//! What lanes of rows are called.

use crate::model::{Role, Track};

/// Title and note of a CPU thread.
pub(super) fn thread_title(track: &Track) -> (String, String) {
    let name = track.label.as_deref().unwrap_or_default();
    // Kineto labels read `thread 4100 (python)`.
    let inner = name
        .split_once('(')
        .and_then(|it| it.1.strip_suffix(')'))
        .unwrap_or(name);
    (
        format!("Thread {}", track.key.thread),
        inner.trim().to_owned(),
    )
}

/// What kinds of row there are, each word once.
pub(super) fn others_words(roles: impl Iterator<Item = Role>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for role in roles {
        let word = match role {
            Role::Annotation => "annotations",
            Role::Sync => "sync",
            Role::Overhead => "profiler",
            Role::Async => "async",
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(", ")
}

/// Title and note of a row that is neither stream nor thread.
pub(super) fn other_title(track: &Track) -> (String, String) {
    let thread = track
        .label
        .clone()
        .unwrap_or_else(|| track.key.thread.to_string().into());
    let process = track.process_label.as_deref().unwrap_or_default();
    let title = match track.key.role {
        Role::Annotation => format!("Annotations, stream {}", track.key.thread),
        Role::Sync => format!("Synchronization {}", track.key.thread),
        Role::Overhead if thread.is_empty() => "Profiler".to_owned(),
        Role::Overhead => format!("Profiler {thread}"),
        Role::Async => format!("Async {thread}"),
        _ => thread.trim().to_owned(),
    };
    (title, process.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Role, others_words};

    #[test]
    fn each_kind_of_other_row_is_said_once() {
        let roles = [
            Role::Annotation,
            Role::Sync,
            Role::Annotation,
            Role::Other,
            Role::Overhead,
        ];
        let words = others_words(roles.into_iter());
        assert_eq!(words, "annotations, sync, profiler");
    }
}
