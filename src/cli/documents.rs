//! Commands that import and export documents.

use std::{borrow::Cow, io::Read as _, path::Path};

use anyhow::Context as _;

use super::{
    print::print,
    typed::{ExportArgs, ImportArgs},
};
use crate::{
    app::App,
    inventory::{self, Options, Target},
    networks, organizations,
};

pub(super) async fn import(app: &App, args: ImportArgs) -> anyhow::Result<()> {
    let (source, text) = read(args.file.as_deref())?;
    let organization = organizations::find(app, args.organization.as_deref()).await?;
    let network_id = match &args.network {
        Some(wanted) => {
            Some(networks::find(app.db.reader(), Some(organization.id), wanted).await?.id)
        }
        None => None,
    };
    let target = Target { organization_id: organization.id, network_id };
    let options =
        Options { dry_run: args.dry_run, prune: args.prune, skip_invalid: args.skip_invalid };
    let progress = inventory::progress_bar();
    let report = inventory::import(app, &target, &text, options, &progress).await;
    progress.finish_and_clear();
    let report = report.with_context(|| format!("cannot import {source}"))?;
    let page = report.network_id.map(|id| {
        format!("see it at {}/?network={id} while `toposcope serve` runs\n", args.listen.url())
    });
    print(&format!("{report}{}", page.unwrap_or_default()))
}

/// Reads a document, and returns its name for errors; without a file, returns the sample.
fn read(file: Option<&Path>) -> anyhow::Result<(String, Cow<'static, str>)> {
    let Some(file) = file else {
        return Ok(("the sample".to_owned(), Cow::Borrowed(inventory::SAMPLE)));
    };
    if file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(("standard input".to_owned(), Cow::Owned(text)));
    }
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read {name}, which must be a document of UTF-8 text; `--sample` needs none")
    })?;
    Ok((name, Cow::Owned(text)))
}

pub(super) async fn export(app: &App, args: ExportArgs) -> anyhow::Result<()> {
    let network = networks::find(app.db.reader(), None, &args.network).await?;
    let document = inventory::export(app, &network).await?;
    match args.output {
        None => print(&document),
        Some(path) => std::fs::write(&path, document)
            .with_context(|| format!("cannot write {}", path.display())),
    }
}
