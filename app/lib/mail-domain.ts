/**
 * Large public providers of mailboxes, where people who have nothing to do with each other share a domain. `names` are
 * theirs as `.com` and in the form of each country, such as `hotmail.com`, `hotmail.com.au` and `hotmail.fr`; `domains`
 * are whole.
 */
const publicMailProviders: { names: ReadonlySet<string>; domains: ReadonlySet<string> } = {
  names: new Set(['outlook', 'hotmail', 'live', 'yahoo', 'aol', 'gmx']),
  domains: new Set([
    'gmail.com',
    'googlemail.com',
    'msn.com',
    'ymail.com',
    'zohomail.com',
    // Apple, Proton, Fastmail and others of one name.
    'icloud.com',
    'me.com',
    'mac.com',
    'proton.me',
    'protonmail.com',
    'protonmail.ch',
    'pm.me',
    'passmail.net',
    'fastmail.com',
    'fastmail.com.au',
    'fastmail.fm',
    'rocketmail.com',
    'windowslive.com',
    'passport.com',
    'mail.com',
    'email.com',
    'hey.com',
    'tutanota.com',
    'tuta.com',
    'tuta.io',
    'tutamail.com',
    'zoho.com',
    'zohomail.in',
    'zohomail.com.au',
    'rediffmail.com',
    'foxmail.com',
    'sina.com',
    'hanmail.net',
    'daum.net',
    'libero.it',
    'free.fr',
    'laposte.net',
    'wp.pl',
    'seznam.cz',
    'att.net',
    'sbcglobal.net',
    'yandex.com',
    'yandex.ru',
    'mail.ru',
    'qq.com',
    '163.com',
    '126.com',
    'naver.com',
    'web.de',
    't-online.de',
    'orange.fr',
    'btinternet.com',
    'comcast.net',
    'verizon.net',
    // Australian and New Zealand providers of access.
    'bigpond.com',
    'bigpond.com.au',
    'bigpond.net.au',
    'telstra.com',
    'optusnet.com.au',
    'optushome.com.au',
    'optus.com.au',
    'tpg.com.au',
    'iinet.net.au',
    'westnet.com.au',
    'internode.on.net',
    'on.net',
    'adam.com.au',
    'dodo.com.au',
    'ozemail.com.au',
    'iprimus.com.au',
    'primus.com.au',
    'aapt.net.au',
    'netspace.net.au',
    'exetel.com.au',
    'aussiebroadband.com.au',
    'live.com.au',
    'xtra.co.nz',
    'slingshot.co.nz',
    'skymesh.com.au',
    'hotkey.net.au',
    'spintel.net.au',
    'amnet.net.au',
    'people.net.au',
    // Relays that hide an address: each is somebody else's.
    'duck.com',
    'mozmail.com',
    'appleid.com',
    'simplelogin.com',
    'aleeas.com',
    'anonaddy.me',
  ]),
};

/** Second levels under which countries give out names, as in `com.au`: what was registered is a label longer. */
const secondLevels = new Set(
  'ac asn co com csiro edu gen geek go gob gouv gov govt gv id info iwi kiwi ltd maori me mil ne net nic or org parliament plc sch school'.split(
    ' ',
  ),
);

/**
 * The part of an address that somebody registered, such as `company.com.au` of `ada@mail.company.com.au`: its owner
 * makes as many mailboxes as they like (P28). Null for large public providers, where each mailbox is somebody else's.
 * Without the list of all public suffixes: below a suffix that is not known here, too many count together, never too few.
 */
export function mailDomainOf(email: string): string | null {
  const host = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
  const labels = host.split('.').filter((label) => label !== '');
  const [top = '', second = ''] = labels.toReversed();
  const size = labels.length > 2 && top.length === 2 && secondLevels.has(second) ? 3 : 2;
  const domain = labels.slice(-size).join('.');
  return domain === '' || isPublicProvider(labels, size) ? null : domain;
}

function isPublicProvider(labels: readonly string[], size: number): boolean {
  const { names, domains } = publicMailProviders;
  const domain = labels.slice(-size).join('.');
  if (domains.has(domain)) return true;
  // `hotmail` as .com, .com.au, .co.uk or .fr; `hotmail` under anything else is a domain that anybody may own.
  const [name = ''] = labels.slice(-size);
  const form = /^\.(?:com|(?:com?\.)?([a-z]{2}))$/.exec(domain.slice(name.length));
  return names.has(name) && form !== null && (form[1] === undefined || countries.has(form[1]));
}

/** The countries under whose endings the large providers give out addresses. */
const countries = new Set(
  'ar at au be br ca ch cl cn co cz de dk es fi fr gr hk hu id ie il in it jp kr mx my nl no nz pe ph pl pt ro ru se sg sk th tr tw uk vn za'.split(
    ' ',
  ),
);
