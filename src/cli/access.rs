//! Commands for users and their API keys.

use std::io::IsTerminal as _;

use anyhow::{Context as _, bail};

use super::{
    print::print,
    typed::{KeyCommand, UserCommand},
};
use crate::{
    api_keys::{self, CreateApiKeyInput},
    app::App,
    networks,
    users::{self, Belongs, Newcomer},
};

pub(super) async fn user(app: &App, command: UserCommand) -> anyhow::Result<()> {
    match command {
        UserCommand::Create {
            email,
            organization,
            new_organization,
            network,
            permissions,
            password_stdin,
        } => {
            let newcomer = Newcomer {
                email,
                password: read_password(password_stdin)?,
                permissions: permissions.into(),
                organization: match organization {
                    Some(name) if new_organization => Belongs::ToNew(name),
                    known => Belongs::To(known),
                },
                network,
                default_network: Some("My network"),
            };
            let user = users::create_by_operator(app, newcomer).await?;
            eprintln!("made the user {} ({:?})", user.email, user.permissions);
            Ok(())
        }
        UserCommand::Grant { email, network } => {
            let network = users::grant(app, &email, &network).await?;
            eprintln!("{email} reaches the network {}", network.name);
            Ok(())
        }
        UserCommand::Password { email, password_stdin } => {
            users::set_password(app, &email, read_password(password_stdin)?).await?;
            eprintln!("changed the password of {email}; all sessions end within seconds");
            Ok(())
        }
    }
}

pub(super) async fn key(app: &App, command: KeyCommand) -> anyhow::Result<()> {
    let KeyCommand::Create { email, name, permissions, network, all_networks } = command;
    let viewer = users::viewer_of(app, &email).await?;
    let mut network_ids = Vec::new();
    for wanted in &network {
        let found = networks::find(app.db.reader(), Some(viewer.organization_id), wanted).await?;
        network_ids.push(found.id);
    }
    let input = CreateApiKeyInput {
        name,
        organization_id: None,
        user_id: None,
        permissions: Some(permissions.into()),
        network_ids: (!network_ids.is_empty()).then_some(network_ids),
        all_networks: Some(all_networks),
        expires_at: None,
        is_enabled: None,
        tags: None,
    };
    let created = api_keys::create(app, &viewer, input).await?;
    print(&format!("{}\n", created.key))
}

fn read_password(from_stdin: bool) -> anyhow::Result<String> {
    if !from_stdin {
        if !std::io::stdin().is_terminal() {
            bail!("there is no terminal to ask for the password; use --password-stdin");
        }
        return Ok(rpassword::prompt_password("Password: ")?);
    }
    let mut password = String::new();
    std::io::stdin().read_line(&mut password).context("cannot read standard input")?;
    Ok(password.trim_end_matches(['\r', '\n']).to_owned())
}
