//! Categories of services.

use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// The category of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ServiceCategory {
    /// Routing, addressing, time: services that the network itself needs.
    NetworkCore,
    /// Remote access to devices, and access points for people.
    NetworkAccess,
    /// Firewalls, intrusion detection, scanners, certificates.
    NetworkSecurity,
    /// File, block and object storage over the network.
    Storage,
    /// Backup copies of data.
    Backup,
    /// Films, music, photos, books, and the tools that fetch them.
    Media,
    /// Home control.
    HomeAutomation,
    /// Hypervisors, container engines and their managers.
    Virtualization,
    /// Name resolution.
    #[serde(rename = "DNS")]
    Dns,
    /// Private networks over public ones.
    #[serde(rename = "VPN")]
    Vpn,
    /// SNMP agents and receivers.
    #[serde(rename = "SNMP")]
    Snmp,
    /// Metrics, logs, alerts and hardware management.
    Monitoring,
    /// Name resolution that filters advertisements.
    AdBlock,
    /// Web servers and the proxies in front of them.
    ReverseProxy,
    /// Computers that people sit at.
    Workstation,
    /// Phones and tablets.
    Mobile,
    /// Cameras, sensors, actuators and industrial controllers.
    #[cfg_attr(feature = "graphql", graphql(name = "IOT"))]
    IoT,
    /// Printers and print servers.
    Printer,
    /// Databases, caches, search engines and their consoles.
    Database,
    /// Source code, builds, packages, automation, models.
    Development,
    /// Start pages and server consoles.
    Dashboard,
    /// Message brokers.
    MessageQueue,
    /// Directories, sign-on, personal secrets.
    IdentityAndAccess,
    /// Documents, calendars, accounts, stocks.
    Office,
    /// Tickets, boards, asset inventories.
    ProjectManagement,
    /// Chat and notifications.
    Messaging,
    /// Group voice and video.
    Conferencing,
    /// Telephone exchanges and telephones.
    Telephony,
    /// Mail servers, their filters and readers.
    Email,
    /// Web sites, wikis, forums, feeds and bookmarks.
    Publishing,
    /// Not in the table of known services.
    Unknown,
    /// Made by the operator, for the operator.
    Custom,
}

/// An error for text that is not a category.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a service category")]
pub struct UnknownCategory(pub String);

impl FromStr for ServiceCategory {
    type Err = UnknownCategory;

    fn from_str(text: &str) -> Result<Self, UnknownCategory> {
        let deserializer = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(text);
        Self::deserialize(deserializer).map_err(|_| UnknownCategory(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::resolver_utils::EnumType;
    use serde_json::json;

    use super::*;

    fn every_category() -> impl Iterator<Item = ServiceCategory> {
        ServiceCategory::items().iter().map(|item| item.value)
    }

    #[test]
    fn categories_are_spelled_as_the_contract_says() {
        let spellings: Vec<String> = every_category()
            .map(|category| serde_json::from_value(json!(category)).unwrap())
            .collect();
        assert_eq!(
            spellings.join(", "),
            "NetworkCore, NetworkAccess, NetworkSecurity, Storage, Backup, Media, HomeAutomation, \
             Virtualization, DNS, VPN, SNMP, Monitoring, AdBlock, ReverseProxy, Workstation, Mobile, IoT, \
             Printer, Database, Development, Dashboard, MessageQueue, IdentityAndAccess, Office, \
             ProjectManagement, Messaging, Conferencing, Telephony, Email, Publishing, Unknown, Custom"
        );
        for (spelling, category) in spellings.iter().zip(every_category()) {
            assert_eq!(spelling.parse(), Ok(category));
        }
        assert_eq!("dns".parse::<ServiceCategory>(), Err(UnknownCategory("dns".to_owned())));
        let names: Vec<&str> = ServiceCategory::items().iter().map(|item| item.name).collect();
        for name in ["NETWORK_CORE", "DNS", "VPN", "SNMP", "IOT", "AD_BLOCK"] {
            assert!(names.contains(&name), "{names:?}");
        }
    }
}
