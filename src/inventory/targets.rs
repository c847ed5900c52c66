//! Plans the targets of bindings from a document.

use toposcope_types::{BindingType, Id, TransportProtocol};

use super::{document, host_parts::Parent};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
};

/// The target that a binding listens on: its type, its port and its interface.
pub(super) type Target = (BindingType, Option<Id>, Option<Id>);

/// Returns the target of a stored binding.
pub(super) fn target_of(binding: &Binding) -> Target {
    (binding.binding_type, binding.port_id, binding.interface_id)
}

/// Returns the target of a binding in a document.
pub(super) fn target(host: &Parent<'_>, given: &document::Binding) -> Result<Target> {
    let interface_id =
        given.ip_address.map(|address| host.address(address)).transpose()?.map(|row| row.id);
    let required = |field: &str| Error::Required { field: field.to_owned() };
    match given.binding_type {
        BindingType::Port => {
            let number = given.number.ok_or_else(|| required("number"))?;
            let protocol = given.protocol.ok_or_else(|| required("protocol"))?;
            let port = host.ports.get(&port_key(number, protocol)?);
            Ok((BindingType::Port, port.copied(), interface_id))
        }
        BindingType::Interface if given.number.is_some() || given.protocol.is_some() => {
            Err(Error::invalid("number", "a binding of the type `Interface` has no port"))
        }
        BindingType::Interface if interface_id.is_none() => Err(required("ip_address")),
        BindingType::Interface => Ok((BindingType::Interface, None, interface_id)),
    }
}

/// Returns the key of a port, if its number is valid.
pub(super) fn port_key(
    number: u16,
    protocol: TransportProtocol,
) -> Result<(i32, TransportProtocol)> {
    if number == 0 {
        return Err(Error::OutOfRange { field: "number".to_owned(), min: 1, max: 65_535 });
    }
    Ok((number.into(), protocol))
}
