//! Plans subnets from a document, given or derived from the addresses.

use ipnet::IpNet;
use toposcope_types::{Cidr, Id, IpAddress, Source, SubnetType};

use super::{
    document,
    left_out::refers,
    list::List,
    planner::{Planner, clean, relink},
    stored::by,
};
use crate::{
    error::{Error, Result},
    input::text,
    interfaces::Interface,
    subnets::{Subnet, is_outside},
};

impl Planner<'_> {
    pub(super) fn subnets(&mut self, given: List<document::Subnet>) -> Result<()> {
        let mut stored = by(&self.stored.subnets, |subnet| subnet.cidr);
        if let Some(everywhere) = stored.get_mut(&Cidr::EVERYWHERE) {
            everywhere.retain(|subnet| !is_outside(subnet));
        }
        for (nth, given) in given {
            let name = self.faults.name(|| Some(given.cidr.to_string()));
            let checked = self.checked_subnet(given);
            let Some(given) = self.faults.sift(|| format!("subnets[{nth}]"), name, checked)? else {
                continue;
            };
            let before = stored.get(&given.cidr).and_then(|rows| rows.first().copied());
            let mut subnet = match before {
                Some(before) => before.clone(),
                None => self.new_subnet(given.cidr, Source::Manual),
            };
            subnet.name = given.name.unwrap_or(subnet.name);
            subnet.subnet_type = given.subnet_type.unwrap_or(subnet.subnet_type);
            given.description.update_to(&mut subnet.description);
            subnet.source = given.source.unwrap_or(subnet.source);
            let tags = self.tags(given.tags, || format!("subnets[{nth}].tags"))?;
            let retagged =
                relink(&self.stored.subnet_tags, &mut self.plan.subnet_tags, subnet.id, tags);
            self.subnets.entry(subnet.cidr.network()).or_insert(subnet.id);
            self.plan.subnets.add(before, subnet, retagged, |row| &mut row.updated_at);
        }
        Ok(())
    }

    fn checked_subnet(&mut self, mut given: document::Subnet) -> Result<document::Subnet> {
        if self.given.contains(&given.cidr.network()) {
            return Err(Error::Duplicate { field: "cidr".to_owned() });
        }
        let name = given.name.map(|name| text::required("name", name, 1, text::MAX_NAME));
        given.name = name.transpose()?;
        clean("description", &mut given.description)?;
        self.given.insert(given.cidr.network());
        Ok(given)
    }

    fn new_subnet(&self, cidr: Cidr, source: Source) -> Subnet {
        Subnet {
            id: Id::new(),
            created_at: self.now,
            updated_at: self.now,
            cidr,
            network_id: self.network_id,
            name: cidr.to_string(),
            description: None,
            subnet_type: guess(cidr.network()),
            source,
        }
    }

    /// Creates a subnet for the prefix of every interface of a host that is in none of the
    /// document's subnets.
    pub(super) fn derive_subnets(
        &mut self,
        nth: usize,
        given: List<document::Interface>,
    ) -> Result<List<document::Interface>> {
        let mut interfaces = List::like(&given);
        for (place, interface) in given {
            let name = self.faults.name(|| Some(interface.ip_address.to_string()));
            let derived = self.derive_subnet(interface);
            let path = || format!("hosts[{nth}].interfaces[{place}]");
            interfaces.push(place, self.faults.sift(path, name, derived)?);
        }
        Ok(interfaces)
    }

    fn derive_subnet(&mut self, mut interface: document::Interface) -> Result<document::Interface> {
        interface.if_name = text::optional("if_name", interface.if_name, text::MAX_NAME)?;
        let Some(prefix) = prefix(&interface)? else {
            if within(interface.ip_address, |range| self.subnets.contains_key(&range)) {
                return Ok(interface);
            }
            return Err(self.without_subnet(interface.ip_address));
        };
        if Cidr::containing(prefix) == Cidr::EVERYWHERE && !self.outside.is_empty() {
            return Ok(interface);
        }
        let known = self.subnets.contains_key(&prefix)
            || within(interface.ip_address, |range| self.given.contains(&range));
        if known {
            self.count_found(prefix);
            return Ok(interface);
        }
        let subnet = self.new_subnet(Cidr::containing(prefix), Source::System);
        self.found.insert(prefix);
        self.subnets.insert(prefix, subnet.id);
        self.plan.subnets.created.push(subnet);
        Ok(interface)
    }

    /// Returns the fault of an address that is in no subnet.
    fn without_subnet(&self, address: IpAddress) -> Error {
        let contains = |name: &String| name.parse().is_ok_and(|cidr: Cidr| cidr.contains(address));
        let mut left_out = self.faults.of("subnets");
        match left_out.find(|subnet| subnet.name.as_ref().is_some_and(contains)) {
            Some(subnet) => Error::invalid("", refers(&subnet.place)),
            None => Error::Required { field: "prefix_length".to_owned() },
        }
    }

    /// Counts a subnet that an earlier import derived as unchanged, once.
    pub(super) fn count_found(&mut self, prefix: IpNet) {
        let stored = self.subnets.contains_key(&prefix) && !self.given.contains(&prefix);
        if stored && self.found.insert(prefix) {
            self.plan.subnets.unchanged += 1;
        }
    }

    /// Returns the subnet of an interface: that of its own prefix, else the most specific one that
    /// contains its address. An address outside all ranges stays in its stored subnet.
    pub(super) fn subnet_of(
        &self,
        interface: &document::Interface,
        stored: &[&Interface],
    ) -> Result<Id> {
        let own = prefix(interface)?.and_then(|prefix| match self.subnets.get(&prefix) {
            None if Cidr::containing(prefix) == Cidr::EVERYWHERE => {
                let here = |row: &&&Interface| {
                    row.ip_address == interface.ip_address && self.outside.contains(&row.subnet_id)
                };
                let kept = stored.iter().find(here).map(|row| row.subnet_id);
                kept.or_else(|| self.outside.first().copied())
            }
            found => found.copied(),
        });
        own.or_else(|| {
            ranges(interface.ip_address).find_map(|range| self.subnets.get(&range).copied())
        })
        .ok_or_else(|| Error::Required { field: "prefix_length".to_owned() })
    }
}

/// Returns the range that an interface specifies.
fn prefix(interface: &document::Interface) -> Result<Option<IpNet>> {
    let address = interface.ip_address.addr();
    let Some(length) = interface.prefix_length else { return Ok(None) };
    let net = IpNet::new(address, length).map_err(|_| Error::OutOfRange {
        field: "prefix_length".to_owned(),
        min: 0,
        max: if address.is_ipv4() { 32 } else { 128 },
    })?;
    Ok(Some(net.trunc()))
}

/// Returns every range that contains an address, the most specific first.
fn ranges(address: IpAddress) -> impl Iterator<Item = IpNet> {
    let address = address.addr();
    let longest = if address.is_ipv4() { 32 } else { 128 };
    (0..=longest)
        .rev()
        .filter_map(move |length| IpNet::new(address, length).ok())
        .map(|net| net.trunc())
}

fn within(address: IpAddress, known: impl Fn(IpNet) -> bool) -> bool {
    ranges(address).any(known)
}

/// Returns the purpose of a range, as far as its numbers tell.
fn guess(range: IpNet) -> SubnetType {
    if range.prefix_len() == range.max_prefix_len() {
        return SubnetType::Management;
    }
    let private = match range {
        IpNet::V4(range) => range.network().is_private() && range.broadcast().is_private(),
        IpNet::V6(range) => range.network().is_unique_local() && range.prefix_len() >= 7,
    };
    if private { SubnetType::Lan } else { SubnetType::Unknown }
}
