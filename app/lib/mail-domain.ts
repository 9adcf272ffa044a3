import { publicMailProviders } from './public-mail-providers.ts';

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
