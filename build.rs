//! Builds the pages of `playground/` with npm, for the binary to hold.
//!
//! Where that cannot be done, the product is built all the same, and says that it has no pages.

use std::{
    env,
    error::Error,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// What the pages are made of, in `playground/`, with all in `src` but what the build writes there.
const SOURCES: &[&str] = &[
    ".npmrc",
    "../schema.graphql",
    "codegen.mjs",
    "docs",
    "icon.svg",
    "index.html",
    "package-lock.json",
    "package.json",
    "query",
    "tsconfig.json",
    "vite.config.ts",
];

fn main() -> Result {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PLAYGROUND").is_none() {
        return Ok(());
    }
    let playground = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("playground");
    for source in SOURCES {
        println!("cargo:rerun-if-changed=playground/{source}");
    }
    for source in fs::read_dir(playground.join("src"))? {
        let name = source?.file_name();
        if name != "gql" {
            println!("cargo:rerun-if-changed=playground/src/{}", name.display());
        }
    }
    let out = env::var("OUT_DIR")?;
    let pages = format!("{out}/playground");
    // `rust-embed` can find a folder by a variable only with crates whose licence we do not take.
    let embed = format!("#[derive(rust_embed::Embed)]\n#[folder = {pages:?}]\nstruct Files;\n");
    fs::write(format!("{out}/playground.rs"), embed)?;
    if let Err(error) = build(&playground, &pages) {
        empty(&pages)?;
        println!(
            "cargo:warning=built without the pages of playground/, since {error}; with Node.js \
             20.19 or newer and a network, `touch build.rs` and build again"
        );
    }
    Ok(())
}

/// Installs what the pages need, if that has changed, and builds them.
fn build(playground: &Path, pages: &str) -> Result {
    // Builds of two profiles share one `node_modules`.
    let lock = File::create(playground.join(".lock"))?;
    lock.lock()?;
    let wanted = fs::read(playground.join("package-lock.json"))?;
    // `npm ci` begins with deleting the folder, so this file tells that it has ended well.
    let installed = playground.join("node_modules/.installed");
    if fs::read(&installed).ok().as_ref() != Some(&wanted) {
        npm(playground, &["ci", "--include=dev", "--prefer-offline"])?;
        fs::write(installed, wanted)?;
    }
    empty(pages)?;
    npm(playground, &["run", "build", "--", "--outDir", pages])
}

/// Runs npm; what it says is shown by `cargo build -vv`.
fn npm(folder: &Path, arguments: &[&str]) -> Result {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(npm)
        .current_dir(folder)
        .args(arguments)
        .output()
        .map_err(|error| format!("npm cannot be run ({error})"))?;
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(format!("`npm {}` failed", arguments[0]).into());
    }
    Ok(())
}

/// Makes a folder with nothing in it.
fn empty(folder: &str) -> Result {
    if fs::exists(folder)? {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}
