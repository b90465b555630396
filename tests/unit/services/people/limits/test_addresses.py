"""From which address a request comes: nobody is believed but the operator's own proxies."""

import pytest

from services.process.addresses import Addresses, name_of, networks_of

PROXIES = Addresses(networks_of("127.0.0.1, 10.0.0.0/8, fd00::/8"))
NOBODY = Addresses(())


@pytest.mark.parametrize("said", [[], [b"1.2.3.4"], [b"1.2.3.4", b"5.6.7.8"], [b"nonsense"]])
def test_without_a_proxy_only_the_connection_counts(said):
    assert NOBODY.name("127.0.0.1", said) == "127.0.0.1"
    assert PROXIES.name("203.0.113.9", said) == "203.0.113.9"
    assert not NOBODY.trusts("127.0.0.1")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ([b"198.51.100.7"], "198.51.100.7"),
        ([b"6.6.6.6, 198.51.100.7"], "198.51.100.7"),
        ([b"6.6.6.6", b"198.51.100.7"], "198.51.100.7"),
        ([b"6.6.6.6, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
        ([b"198.51.100.7:4711"], "198.51.100.7"),
        ([b"[2001:db8:1:2::5]:4711"], "2001:db8:1:2::/64"),
        ([b"::ffff:198.51.100.7"], "198.51.100.7"),
        ([b"6.6.6.6, nonsense, 10.1.2.3"], "10.1.2.3"),
        ([b"nonsense"], "127.0.0.1"),
        ([b"", b","], "127.0.0.1"),
        ([b"10.0.0.1, 10.0.0.2"], "10.0.0.1"),
        ([b"\xff\xfe"], "127.0.0.1"),
        ([b"1.1.1.1," * 5000 + b"198.51.100.7"], "198.51.100.7"),
        ([b"9" * 60_000], "127.0.0.1"),
    ],
)
def test_behind_a_proxy_the_last_address_that_it_did_not_make_up_counts(said, name):
    assert PROXIES.name("127.0.0.1", said) == name


@pytest.mark.parametrize("peer", ["::ffff:10.0.0.1", "fd12::1", "10.255.0.1"])
def test_a_proxy_is_known_however_its_address_is_written(peer):
    assert PROXIES.name(peer, [b"198.51.100.7"]) == "198.51.100.7"


def test_all_addresses_of_an_ipv6_customer_are_one():
    assert name_of("2001:db8:1:2::5") == name_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert name_of("2001:db8:1:3::5") != name_of("2001:db8:1:2::5")
    assert name_of("fe80::1%eth0") == "fe80::/64"


def test_what_is_no_address_stands_for_itself():
    assert name_of("a socket") == "a socket"


@pytest.mark.parametrize("text", ["localhost", "10.0.0.0/33", "10.0.0.1;10.0.0.2", "*"])
def test_a_list_with_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="does not appear to be"):
        networks_of(text)


def test_an_empty_list_is_one():
    assert networks_of(" , ") == ()
