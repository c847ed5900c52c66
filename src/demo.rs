//! A demo with a sample campus, from a database file of its own.

use std::{io::Write as _, net::SocketAddr, path::Path};

use anyhow::Context as _;
use chrono::{NaiveDate, Utc};
use rand::{Rng as _, distr::Alphanumeric};
use sea_orm::{EntityTrait, QueryFilter};
use toposcope_types::{Id, PermissionLevel, listen};

use crate::{
    api_keys::{self, CreateApiKeyInput},
    app::App,
    config::ServeArgs,
    db::Db,
    inventory::{self, Options},
    organizations,
    resource::Resource as _,
    server,
    users::{self, Belongs, Newcomer},
};

const ORGANIZATION: &str = "Demo";
const EMAIL: &str = "demo@example.com";
/// The prefix of the names of the demo's keys; a date follows.
const KEY_NAME: &str = "Demo ";

/// Serves the demo from `file`, which the first start creates and later starts keep.
///
/// Every start creates a new password and a new key, since neither can be read again.
pub async fn serve(args: ServeArgs, file: &Path) -> anyhow::Result<()> {
    let definitions = server::definitions(&args)?;
    let mut settings = args.settings;
    let bound = server::bind(&args.listen).await?;
    settings.session_cookie_secure = settings.session_cookie_secure.resolve(bound.address.ip());
    let db = Db::open(&url(file)?).await?;
    db.migrate().await?;
    let app = App::new(db, settings, definitions);
    let password = new_password();
    prepare(&app, &password).await?;
    let key = new_key(&app).await?;
    server::serve(app, bound, |address| {
        let mut out = std::io::stdout().lock();
        // A closed pipe is the reader's decision, not a failure of ours.
        let _ = out.write_all(welcome(address, &password, &key).as_bytes());
        let _ = out.flush();
    })
    .await
}

fn url(file: &Path) -> anyhow::Result<String> {
    let path = file.to_str().context("the path of the demo's file must be UTF-8")?;
    // These characters would end the path in a URL or start an escape.
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("sqlite://{path}?mode=rwc"))
}

/// Creates the missing demo data, and sets this password for the user.
async fn prepare(app: &App, password: &str) -> anyhow::Result<()> {
    let found = organizations::by_id_or_name(app.db.reader(), ORGANIZATION).await?;
    let organization_id = if let Some(organization) = found {
        users::set_password(app, EMAIL, password.to_owned()).await?;
        organization.id
    } else {
        let owner = Newcomer {
            email: EMAIL.to_owned(),
            password: password.to_owned(),
            permissions: PermissionLevel::Owner,
            organization: Belongs::ToNew(ORGANIZATION.to_owned()),
            network: None,
            default_network: None,
        };
        users::create_by_operator(app, owner).await?.organization_id
    };
    let viewer = users::viewer_of(app, EMAIL).await?;
    if viewer.networks.ids().is_empty() {
        let target = inventory::Target { organization_id, network_id: None };
        let progress = inventory::progress_bar();
        inventory::import(app, &target, inventory::SAMPLE, Options::default(), &progress)
            .await
            .context("cannot read the sample campus")?;
        progress.finish_and_clear();
    }
    Ok(())
}

/// Replaces the keys of earlier starts with a new key.
async fn new_key(app: &App) -> anyhow::Result<String> {
    let viewer = users::viewer_of(app, EMAIL).await?;
    let keys = api_keys::Entity::visible_to(&viewer).all(app.db.reader()).await?;
    let ours = keys.iter().filter(|key| is_ours(&key.name)).map(|key| key.id);
    let old = app.db.ids(ours.collect::<Vec<Id>>());
    api_keys::Entity::delete_many()
        .filter(old.includes(api_keys::Column::Id))
        .exec(app.db.writer())
        .await?;
    let input = CreateApiKeyInput {
        name: format!("{KEY_NAME}{}", Utc::now().date_naive()),
        organization_id: None,
        user_id: None,
        permissions: Some(PermissionLevel::Owner),
        network_ids: None,
        expires_at: None,
        all_networks: None,
        is_enabled: None,
        tags: None,
    };
    Ok(api_keys::create(app, &viewer, input).await?.key)
}

fn is_ours(name: &str) -> bool {
    name.strip_prefix(KEY_NAME).is_some_and(|date| date.parse::<NaiveDate>().is_ok())
}

/// Returns a random password with one of each kind of character that the rule requires.
fn new_password() -> String {
    let random = rand::rng().sample_iter(Alphanumeric).take(16).map(char::from);
    random.chain(['-', 'D', 'e', '1']).collect()
}

/// Returns the instructions for a first try, each line ready to be pasted.
fn welcome(address: SocketAddr, password: &str, key: &str) -> String {
    let url = format!("http://{}", listen::reached(address));
    format!(
        r#"Toposcope demo: {url}

  Login     {EMAIL}
  Password  {password}
  API key   {key}

The first services, over REST:

  curl -sg -H 'Authorization: Bearer {key}' '{url}/api/v1/services?limit=3'

Three hosts with what they hear of their neighbors, over GraphQL:

  curl -sg -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' \
    -d '{{"query":"{{ hosts(first: 3) {{ nodes {{ name ifEntries(first: 3) {{ nodes {{ ifDescr lldpSysName }} }} }} }} }}"}}' \
    '{url}/graphql'

"#
    )
}
