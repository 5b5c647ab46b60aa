// The addresses that Kassa connects to and those that it does not, as a table, for test and live merchants. Each is
// judged as an address, as it comes from DNS or from a socket, and in a URL.
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, test } from 'node:test';
import { refuseAddress, refuseUrl } from './addresses.ts';

const YES = undefined;
const METADATA = 'must not lead to a metadata address';
const LINK_LOCAL = 'must not lead to a link-local address';
const UNSPECIFIED = 'must not lead to an unspecified address';
const MULTICAST = 'must not lead to a multicast address';
const BROADCAST = 'must not lead to a broadcast address';
const LOOPBACK = 'must not lead to a loopback address for a live merchant';
const PRIVATE = 'must not lead to a private address for a live merchant';
const RESERVED = 'must not lead to a reserved address for a live merchant';
const NOT_PUBLIC = 'must lead to a public address for a live merchant';
const NO_ADDRESS = 'must lead to an IP address';
const NO_URL = 'must be an http or https address';
const NOT_HTTPS = 'must be https for a live merchant';
const NO_NAME = 'must have a host name that can be looked up';
const NOT_PUBLIC_NAME = 'must have a public host name for a live merchant';

const REACHES = ['live', 'public', 'home'] as const;

/** A test merchant where private addresses are not allowed: as for a live one, and the message names the setting. */
const forPublic = (forLive: string | undefined): string | undefined =>
  forLive?.replace('for a live merchant', 'unless KASSA_PRIVATE_HOOKS is on');
const LOGIN = 'must not have a user name or a password';
const PORT = 'must not have the port 0';

type Verdict = string | undefined;
type Row = readonly [address: string, forTest: Verdict, forLive: Verdict];

const addresses: Readonly<Record<string, readonly Row[]>> = {
  'IPv4, public': [
    ['8.8.8.8', YES, YES],
    ['1.1.1.1', YES, YES],
    ['93.184.216.34', YES, YES],
    ['223.255.255.255', YES, YES],
    // Just outside the ranges below.
    ['9.255.255.255', YES, YES],
    ['11.0.0.0', YES, YES],
    ['100.63.255.255', YES, YES],
    ['100.128.0.0', YES, YES],
    ['126.255.255.255', YES, YES],
    ['128.0.0.0', YES, YES],
    ['168.63.129.15', YES, YES],
    ['169.253.255.255', YES, YES],
    ['169.255.0.0', YES, YES],
    ['172.15.255.255', YES, YES],
    ['172.32.0.0', YES, YES],
    ['192.0.1.0', YES, YES],
    ['192.167.255.255', YES, YES],
    ['192.169.0.0', YES, YES],
    ['198.17.255.255', YES, YES],
    ['198.20.0.0', YES, YES],
  ],
  'IPv4, at home': [
    ['127.0.0.1', YES, LOOPBACK],
    ['127.255.255.254', YES, LOOPBACK],
    ['10.0.0.1', YES, PRIVATE],
    ['10.255.255.255', YES, PRIVATE],
    ['172.16.0.1', YES, PRIVATE],
    ['172.31.255.255', YES, PRIVATE],
    ['192.168.0.1', YES, PRIVATE],
    ['192.168.255.255', YES, PRIVATE],
    ['100.64.0.1', YES, PRIVATE],
    ['100.127.255.255', YES, PRIVATE],
    ['192.0.0.8', YES, RESERVED],
    ['192.0.2.1', YES, RESERVED],
    ['192.88.99.1', YES, RESERVED],
    ['198.18.0.1', YES, RESERVED],
    ['198.19.255.255', YES, RESERVED],
    ['198.51.100.7', YES, RESERVED],
    ['203.0.113.7', YES, RESERVED],
    ['240.0.0.1', YES, RESERVED],
    ['255.255.255.254', YES, RESERVED],
  ],
  'IPv4, never': [
    ['169.254.169.254', METADATA, METADATA],
    ['168.63.129.16', METADATA, METADATA],
    ['100.100.100.200', METADATA, METADATA],
    ['192.0.0.192', METADATA, METADATA],
    ['169.254.0.1', LINK_LOCAL, LINK_LOCAL],
    ['169.254.170.2', LINK_LOCAL, LINK_LOCAL],
    ['169.254.255.255', LINK_LOCAL, LINK_LOCAL],
    ['0.0.0.0', UNSPECIFIED, UNSPECIFIED],
    ['0.255.255.255', UNSPECIFIED, UNSPECIFIED],
    ['224.0.0.1', MULTICAST, MULTICAST],
    ['239.255.255.255', MULTICAST, MULTICAST],
    ['255.255.255.255', BROADCAST, BROADCAST],
  ],
  'IPv6, public': [
    ['2606:4700:4700::1111', YES, YES],
    ['2001:4860:4860::8888', YES, YES],
    ['2a00:1450:4001:81b:0:0:0:200e', YES, YES],
    ['2000::1', YES, YES],
    ['2001:200::1', YES, YES],
    ['3ffe::1', YES, YES],
  ],
  'IPv6, at home': [
    ['::1', YES, LOOPBACK],
    ['0:0:0:0:0:0:0:1', YES, LOOPBACK],
    ['::1%lo', YES, LOOPBACK],
    ['fc00::1', YES, PRIVATE],
    ['fd12:3456:789a::1', YES, PRIVATE],
    ['fdff:ffff::', YES, PRIVATE],
    ['fec0::1', YES, PRIVATE],
    ['2001:2::1', YES, RESERVED],
    ['2001:10::1', YES, RESERVED],
    ['2001:db8::1', YES, RESERVED],
    ['2001:DB8::1', YES, RESERVED],
    ['3fff::1', YES, RESERVED],
    ['100::1', YES, NOT_PUBLIC],
    ['5f00::1', YES, NOT_PUBLIC],
    ['4000::1', YES, NOT_PUBLIC],
    ['1fff::1', YES, NOT_PUBLIC],
  ],
  'IPv6, never': [
    ['fd00:ec2::254', METADATA, METADATA],
    ['fd00:0ec2:0:0:0:0:0:254', METADATA, METADATA],
    ['fd00:ec2::23', METADATA, METADATA],
    ['fd20:ce::254', METADATA, METADATA],
    ['fd00:c1::a9fe:a9fe', METADATA, METADATA],
    ['fd00:42::42', METADATA, METADATA],
    ['fe80::1', LINK_LOCAL, LINK_LOCAL],
    ['fe80::1%eth0', LINK_LOCAL, LINK_LOCAL],
    ['fe80::a9fe:a9fe%2', LINK_LOCAL, LINK_LOCAL],
    ['febf:ffff::1', LINK_LOCAL, LINK_LOCAL],
    ['::', UNSPECIFIED, UNSPECIFIED],
    ['0:0:0:0:0:0:0:0', UNSPECIFIED, UNSPECIFIED],
    ['ff02::1', MULTICAST, MULTICAST],
    ['ff0e::1', MULTICAST, MULTICAST],
  ],
  'IPv4 inside IPv6': [
    // Mapped.
    ['::ffff:8.8.8.8', YES, YES],
    ['::ffff:808:808', YES, YES],
    ['::ffff:127.0.0.1', YES, LOOPBACK],
    ['::ffff:7f00:1', YES, LOOPBACK],
    ['0:0:0:0:0:FFFF:10.1.2.3', YES, PRIVATE],
    ['::ffff:169.254.169.254', METADATA, METADATA],
    ['::ffff:a9fe:a9fe', METADATA, METADATA],
    ['::ffff:169.254.1.1%eth0', LINK_LOCAL, LINK_LOCAL],
    ['::ffff:0.0.0.0', UNSPECIFIED, UNSPECIFIED],
    // Translated.
    ['::ffff:0:8.8.8.8', YES, YES],
    ['::ffff:0:169.254.169.254', METADATA, METADATA],
    // Compatible.
    ['::8.8.8.8', YES, YES],
    ['::192.168.1.1', YES, PRIVATE],
    ['::7f00:1', YES, LOOPBACK],
    ['::a9fe:a9fe', METADATA, METADATA],
    ['::2', UNSPECIFIED, UNSPECIFIED],
    // NAT64.
    ['64:ff9b::8.8.8.8', YES, YES],
    ['64:ff9b::10.0.0.1', YES, PRIVATE],
    ['64:ff9b::a9fe:a9fe', METADATA, METADATA],
    ['64:ff9b::224.0.0.1', MULTICAST, MULTICAST],
    // Local NAT64 prefixes, in each of the four layouts.
    ['64:ff9b:1::8.8.8.8', YES, NOT_PUBLIC],
    ['64:ff9b:1::10.0.0.1', YES, PRIVATE],
    ['64:ff9b:1::169.254.169.254', METADATA, METADATA],
    ['64:ff9b:1:a9fe:a9:fe00::', METADATA, METADATA],
    ['64:ff9b:1:00a9:fe:a9fe::', METADATA, METADATA],
    ['64:ff9b:1:0:a9:fea9:fe00::', METADATA, METADATA],
    ['64:ff9b:1::', UNSPECIFIED, UNSPECIFIED],
    // 6to4.
    ['2002:808:808::1', YES, YES],
    ['2002:7f00:1::1', YES, LOOPBACK],
    ['2002:c0a8:101::1', YES, PRIVATE],
    ['2002:a9fe:a9fe::', METADATA, METADATA],
    // Teredo: a server, and the client's own address in reverse.
    ['2001:0:808:808::f7f7:f7f7', YES, NOT_PUBLIC],
    ['2001:0:a9fe:a9fe::f7f7:f7f7', METADATA, METADATA],
    ['2001:0:808:808::5601:5601', METADATA, METADATA],
    ['2001:0:808:808::80ff:fffe', YES, LOOPBACK],
  ],
};

// The URL parser rewrites these, so they never reach a resolver or a socket.
const otherSpellings = ['127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', 'localhost', ' 1.2.3.4'];
const malformed = ['', '256.1.1.1', '1.2.3.4.5', '1.2.3.4%eth0', 'fe80:::1', '::ffff:1.2.3', '8.8.8.8/0', '8.8.8.8\0'];

// Other spellings of an address. The URL parser knows them all.
const spellings: readonly (readonly [spelling: string, is: string])[] = [
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7F.0.0.0x1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['0000000000000177.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['１２７.０.０.１', '127.0.0.1'],
  ['①②⑦.⓪.⓪.①', '127.0.0.1'],
  ['127。0。0。1', '127.0.0.1'],
  ['2852039166', '169.254.169.254'],
  ['0xa9fea9fe', '169.254.169.254'],
  ['0xA9.0xFE.0xA9.0xFE', '169.254.169.254'],
  ['0251.0376.0251.0376', '169.254.169.254'],
  ['169.254.43518', '169.254.169.254'],
  ['169.16689662', '169.254.169.254'],
  ['167772161', '10.0.0.1'],
  ['012.1', '10.0.0.1'],
  ['0', '0.0.0.0'],
  ['0x0', '0.0.0.0'],
  ['0xffffffff', '255.255.255.255'],
  ['134744072', '8.8.8.8'],
  ['[0:0:0:0:0:ffff:169.254.169.254]', '::ffff:a9fe:a9fe'],
  ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
  ['[0000:0000::0001]', '::1'],
];

const rows = Object.values(addresses).flat();

for (const [group, members] of Object.entries(addresses))
  describe(group, () => {
    for (const [address, forTest, forLive] of members)
      test(`${address} — test: ${forTest ?? 'yes'}; live: ${forLive ?? 'yes'}`, () => {
        assert.notEqual(isIP(address), 0);
        assert.equal(refuseAddress(address, 'home'), forTest);
        assert.equal(refuseAddress(address, 'live'), forLive);
        assert.equal(refuseAddress(address, 'public'), forPublic(forLive));
        // URLs have no zones.
        if (address.includes('%')) return;
        const host = address.includes(':') ? `[${address}]` : address;
        assert.equal(refuseUrl(`http://${host}:8080/hook`, 'home'), forTest);
        assert.equal(refuseUrl(`https://${host}/hook`, 'home'), forTest);
        assert.equal(refuseUrl(`https://${host}:8443/hook?a=b`, 'live'), forLive);
        assert.equal(refuseUrl(`http://${host}:8080/hook`, 'public'), forPublic(forLive));
      });
  });

test('the table has all kinds of rows', () => {
  assert.ok(rows.length >= 100);
  assert.equal(new Set(rows.map(([address]) => address)).size, rows.length, 'no row is there twice');
  // What is refused for a test merchant is refused for a live one.
  for (const [address, forTest, forLive] of rows) if (forTest !== undefined) assert.equal(forLive, forTest, address);
});

test('what is no address is refused', () => {
  for (const text of [...otherSpellings, ...malformed])
    for (const reach of REACHES) assert.equal(refuseAddress(text, reach), NO_ADDRESS, text);
});

test('other spellings of an address are judged as the address', () => {
  for (const [spelling, is] of spellings) {
    const url = `https://${spelling}/hook`;
    assert.equal(new URL(url).hostname.replaceAll(/[[\]]/g, ''), is, spelling);
    for (const reach of REACHES) assert.equal(refuseUrl(url, reach), refuseAddress(is, reach), spelling);
  }
});

const longName = (length: number): string => `${'abcdefghi.'.repeat(30).slice(0, length - 2)}.x`;

const urls: readonly Row[] = [
  ['https://shop.example/hook', YES, YES],
  ['HTTPS://SHOP.EXAMPLE/hook', YES, YES],
  ['https://shop.example:8443/hook?key=a%20b#part', YES, YES],
  ['https://shop.example./hook', YES, YES],
  ['https://my_shop.example/hook', YES, YES],
  ['https://butikk.blåbær.example/', YES, YES],
  // A public name can resolve to anything; the address is judged when connecting.
  ['https://127.0.0.1.nip.io/', YES, YES],
  ['https://localhost.example/', YES, YES],
  ['http://shop.example/hook', YES, NOT_HTTPS],
  ['http://shop.example:443/hook', YES, NOT_HTTPS],
  ['http://127.0.0.1:3000/hook', YES, NOT_HTTPS],
  ['http://localhost:3000/hook', YES, NOT_HTTPS],
  ['https://localhost/', YES, NOT_PUBLIC_NAME],
  ['https://LOCALHOST./', YES, NOT_PUBLIC_NAME],
  ['https://ⓛocal\u{ad}host/', YES, NOT_PUBLIC_NAME],
  ['https://shop.localhost/', YES, NOT_PUBLIC_NAME],
  ['https://hooks/', YES, NOT_PUBLIC_NAME],
  ['https://printer.local/', YES, NOT_PUBLIC_NAME],
  ['https://db.corp.internal./', YES, NOT_PUBLIC_NAME],
  ['https://nas.home.arpa/', YES, NOT_PUBLIC_NAME],
  ['https://metadata.google.internal/', METADATA, METADATA],
  ['https://METADATA.google.internal./', METADATA, METADATA],
  ['https://metadata.goog/', METADATA, METADATA],
  ['https://metadata/', METADATA, METADATA],
  ['https://instance-data/', METADATA, METADATA],
  ['https://me:secret@shop.example/', LOGIN, LOGIN],
  ['https://me@shop.example/', LOGIN, LOGIN],
  ['https://:secret@shop.example/', LOGIN, LOGIN],
  ['https://shop.example@169.254.169.254/', LOGIN, LOGIN],
  ['https://shop.example:0/', PORT, PORT],
  ['https://shop..example/', NO_NAME, NO_NAME],
  ['https://.example/', NO_NAME, NO_NAME],
  ['https://./', NO_NAME, NO_NAME],
  ['https://shop.example../', NO_NAME, NO_NAME],
  [`https://${'a'.repeat(63)}.example/`, YES, YES],
  [`https://${'a'.repeat(64)}.example/`, NO_NAME, NO_NAME],
  [`https://${longName(253)}/`, YES, YES],
  [`https://${longName(254)}/`, NO_NAME, NO_NAME],
  ['https://shop.example:65536/', NO_URL, NO_URL],
  ['https://256.1.1.1/', NO_URL, NO_URL],
  ['https://1.2.3.4.5/', NO_URL, NO_URL],
  ['https://4294967296/', NO_URL, NO_URL],
  ['https://[::1/', NO_URL, NO_URL],
  ['https://[fe80::1%25eth0]/', NO_URL, NO_URL],
  ['https://shop.exam ple/', NO_URL, NO_URL],
  ['https://', NO_URL, NO_URL],
  ['', NO_URL, NO_URL],
  ['shop.example/hook', NO_URL, NO_URL],
  ['//shop.example/hook', NO_URL, NO_URL],
  ['ftp://shop.example/', NO_URL, NO_URL],
  ['file:///etc/passwd', NO_URL, NO_URL],
  ['javascript:alert(1)', NO_URL, NO_URL],
  ['unix:/var/run/docker.sock', NO_URL, NO_URL],
  // The URL parser is lenient, and the address is what it makes of it.
  [' https://169.254.169.254/ ', METADATA, METADATA],
  ['ht\ntps://169.254.169.254/', METADATA, METADATA],
  [String.raw`https:\\169.254.169.254\hook`, METADATA, METADATA],
  ['https:169.254.169.254', METADATA, METADATA],
];

describe('urls', () => {
  for (const [url, forTest, forLive] of urls)
    test(`${JSON.stringify(url)} — test: ${forTest ?? 'yes'}; live: ${forLive ?? 'yes'}`, () => {
      assert.equal(refuseUrl(url, 'home'), forTest);
      assert.equal(refuseUrl(url, 'live'), forLive);
      // Only the scheme does not matter.
      if (forLive !== NOT_HTTPS) assert.equal(refuseUrl(url, 'public'), forPublic(forLive));
    });
});
