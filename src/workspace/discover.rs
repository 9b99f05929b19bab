//! From the paths a person gave to the files that are meant. The only place where directories are listed; no file is
//! opened here, so whether one is a trace is found out later.
//!
//! A folder is read two levels deep: its files, and the files of the folders in it. Links inside are not followed and
//! hidden names are passed over. A path that was given itself is taken as it is, link or hidden.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

const LEVELS: u8 = 2;

/// A path that led to no file.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("there is no such file or folder: {path}")]
    Missing { path: PathBuf },
    #[error("the folder may not be listed by you, ask its owner for permission: {path}")]
    Denied { path: PathBuf },
    #[error("the folder cannot be listed, {source}: {path}")]
    Unreadable { source: io::Error, path: PathBuf },
    #[error("the folder holds no files, two levels deep and without links: {path}")]
    NoFiles { path: PathBuf },
    #[error("no file or folder was named")]
    NothingAsked,
}

/// A file to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub path: PathBuf,
    /// Found by listing a folder, so it need not be a trace; a file that was named itself has to be one.
    pub from_folder: bool,
    /// Size on disk, 0 if it is not told.
    pub bytes: u64,
}

impl FoundFile {
    /// The last part of the path.
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(String::new, |it| it.to_string_lossy().into_owned())
    }
}

/// What the paths led to.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of the paths given; each folder's files by name. No file twice.
    pub files: Vec<FoundFile>,
    /// Paths and folders that led to nothing while others led to files.
    pub failed: Vec<DiscoverError>,
    /// Folders below the second level, not looked into.
    pub skipped_folders: u32,
    /// Links inside folders, not followed.
    pub skipped_links: u32,
}

/// Lists the files that the paths mean. Fails only if there is none.
pub fn find(paths: &[PathBuf]) -> Result<Found, DiscoverError> {
    let mut search = Search::default();
    for path in paths {
        search.look_at(path);
    }
    let mut found = search.found;
    if found.files.is_empty() {
        let first = found.failed.drain(..).next();
        return Err(first.unwrap_or(DiscoverError::NothingAsked));
    }
    Ok(found)
}

#[derive(Default)]
struct Search {
    found: Found,
    seen: BTreeSet<PathBuf>,
}

impl Search {
    fn look_at(&mut self, path: &Path) {
        match path.metadata() {
            Err(error) => self.found.failed.push(fault(path, error)),
            Ok(metadata) if metadata.is_dir() => {
                let before = (
                    self.found.files.len(),
                    self.found.failed.len(),
                    self.seen.len(),
                );
                let known = self.look_into(path, 1);
                let after = (
                    self.found.files.len(),
                    self.found.failed.len(),
                    self.seen.len(),
                );
                if before == after && known == 0 {
                    let path = path.to_path_buf();
                    self.found.failed.push(DiscoverError::NoFiles { path });
                }
            }
            Ok(_) => {
                self.add(path.to_path_buf(), false);
            }
        }
    }

    /// Returns how many files lie there, those that were found before included.
    fn look_into(&mut self, folder: &Path, level: u8) -> usize {
        let entries = match sorted_entries(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.found.failed.push(fault(folder, error));
                return 0;
            }
        };
        let mut files = 0;
        for entry in entries {
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_symlink() {
                self.found.skipped_links += 1;
            } else if kind.is_file() {
                files += 1;
                self.add(entry.path(), true);
            } else if kind.is_dir() && level < LEVELS {
                files += self.look_into(&entry.path(), level + 1);
            } else if kind.is_dir() {
                self.found.skipped_folders += 1;
            }
        }
        files
    }

    fn add(&mut self, path: PathBuf, from_folder: bool) {
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.seen.insert(whole) {
            let bytes = path.metadata().map_or(0, |it| it.len());
            self.found.files.push(FoundFile {
                path,
                from_folder,
                bytes,
            });
        }
    }
}

fn sorted_entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = folder.read_dir()?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

fn fault(path: &Path, source: io::Error) -> DiscoverError {
    let path = path.to_path_buf();
    match source.kind() {
        io::ErrorKind::NotFound => DiscoverError::Missing { path },
        io::ErrorKind::PermissionDenied => DiscoverError::Denied { path },
        _ => DiscoverError::Unreadable { source, path },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: &Found) -> Vec<String> {
        let name = |it: &FoundFile| it.path.file_name().unwrap().to_string_lossy().into_owned();
        found.files.iter().map(name).collect()
    }

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        }
        root
    }

    #[test]
    fn a_folder_is_read_two_levels_deep_by_name() {
        let root = tree(&[
            "b.json",
            "a/2.json",
            "a/1.json",
            "a/deep/3.json",
            ".hidden",
            ".git/x",
        ]);
        let found = find(&[root.path().to_path_buf()]).unwrap();
        assert_eq!(names(&found), ["1.json", "2.json", "b.json"]);
        assert!(found.files.iter().all(|it| it.from_folder));
        assert_eq!(found.skipped_folders, 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_inside_a_folder_are_not_followed() {
        let root = tree(&["in/a.json", "out/b.json"]);
        let inside = root.path().join("in");
        std::os::unix::fs::symlink(&inside, inside.join("loop")).unwrap();
        std::os::unix::fs::symlink(root.path().join("out"), inside.join("other")).unwrap();
        let found = find(std::slice::from_ref(&inside)).unwrap();
        assert_eq!(names(&found), ["a.json"]);
        assert_eq!(found.skipped_links, 2);
    }

    #[test]
    fn a_file_named_twice_is_opened_once() {
        let root = tree(&["a.json", "b.json"]);
        let file = root.path().join("a.json");
        let detour = root.path().join(".").join("a.json");
        let found = find(&[file.clone(), root.path().to_path_buf(), detour]).unwrap();
        assert_eq!(names(&found), ["a.json", "b.json"]);
        assert!(!found.files[0].from_folder);
        let again = find(&[file, root.path().to_path_buf(), root.path().to_path_buf()]).unwrap();
        assert!(again.failed.is_empty());
    }

    #[test]
    fn a_missing_path_does_not_lose_the_others() {
        let root = tree(&["a.json"]);
        let missing = root.path().join("nowhere");
        let found = find(&[missing.clone(), root.path().join("a.json")]).unwrap();
        assert_eq!((found.files.len(), found.failed.len()), (1, 1));
        let error = find(std::slice::from_ref(&missing)).unwrap_err();
        assert!(error.to_string().ends_with(&missing.display().to_string()));
        let empty = tempfile::tempdir().unwrap();
        let error = find(&[empty.path().to_path_buf()]).unwrap_err();
        assert!(matches!(error, DiscoverError::NoFiles { .. }));
        assert!(matches!(find(&[]), Err(DiscoverError::NothingAsked)));
    }
}
