import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';
import { isContradicted, type OwnCounts } from './claim-comparisons.ts';

/** Something the owner has to settle before the site may sell to the public. */
type OpeningItem = {
  /** Under which the settings name it as settled; claims and partners are settled by a proof or by hiding them. */
  id: string;
  what: string;
  /** The placeholder in use until then. */
  restsOn: string;
  /** How to settle it; null when the group says it for all. */
  settle: string | null;
  /** The field of the settings that holds it, by its name. */
  field?: string;
};
/** `kind`: the content in which its items are settled. */
export type OpeningGroup = { title: string; settle: string | null; kind?: string; items: OpeningItem[] };

/** The program's settings that matter before the opening. */
export type OpeningSettings = { hasMailServer: boolean; takesEmail: boolean; baseUrl: string; clockIsSet: boolean };

export type OpeningFacts = {
  content: Pick<Content, 'site' | 'claims' | 'partners'>;
  own: OwnCounts;
  /**
   * Courses on offer that somebody took, those with a rating, and those with an original price that no record proves.
   */
  taken: number;
  rated: number;
  unprovedOriginalPrices: number;
  /** Courses sold as guided study of which modules have no text yet (P105). */
  unwritten: readonly { title: string; modules: number; written: number }[];
  settings: OpeningSettings;
  today: Day;
};

const brief = 'the academy brief of 2025, which is a source but not proof';

/**
 * The list for the owner before opening, in groups; a group without items is left out. Specified words and figures stay
 * on the site: the list says what each rests on.
 */
export function openingList(facts: OpeningFacts): OpeningGroup[] {
  const settled = new Set((facts.content.site.settled ?? []).map(({ what }) => what));
  const { contradicted = [], unproved = [] } = Object.groupBy(openClaims(facts), (claim) =>
    isContradicted(claim, facts.own) ? 'contradicted' : 'unproved',
  );
  return [
    {
      title: 'Claims that our own records contradict',
      settle: 'No proof can settle them. Correct each figure under Content, Claims, or tick "Hide it" there.',
      kind: 'claim',
      items: contradicted.map(claimItem),
    },
    { title: 'Who sells, and where money goes', settle: null, items: placeholders(facts) },
    {
      title: 'Claims that no record proves',
      settle:
        'Under Content, Claims, enter as "Proof" which record of the academy shows it. Tick "Hide it" where none does.',
      kind: 'claim',
      items: unproved.map(claimItem),
    },
    { title: 'Prices, counts and people in the catalogue', settle: null, items: figures(facts) },
    {
      title: 'Partners called authorised',
      settle:
        'Under Content, Partners, enter the agreement or letter with its day as "Proof". Tick "Hide it" where there is none.',
      kind: 'partner',
      items: partners(facts),
    },
    {
      title: 'Texts that a lawyer should see',
      settle:
        'Once advised, add the name in brackets to "Settled before opening" in the settings, with who advised and when.',
      items: texts(),
    },
    { title: 'Settings of the program', settle: null, items: settings(facts) },
  ].flatMap(({ items, ...group }) => {
    const open = items.filter(({ id }) => !settled.has(id));
    return open.length > 0 ? [{ ...group, items: open }] : [];
  });
}

/** How many things are on the list. */
export const countOpening = (groups: readonly OpeningGroup[]): number =>
  groups.reduce((sum, { items }) => sum + items.length, 0);

const bySettled = (id: string) => `add "${id}" to "Settled before opening" in the settings, with what shows it`;

/** Details that cannot be real, and details that only a person can check. */
function placeholders({ content: { site }, today }: OpeningFacts): OpeningItem[] {
  const { abn, bank, email, phone, address, legalName, name, copyrightYear, social } = site;
  const real = (id: string, what: string, why: string): OpeningItem => ({
    id,
    field: id,
    what,
    restsOn: why,
    settle: `enter the real one in the settings, or ${bySettled(id)}`,
  });
  const confirm = (id: string, what: string, field = 'settled', restsOn = 'the sample content'): OpeningItem => ({
    id,
    field,
    what,
    restsOn,
    settle: `correct it if it is wrong, then ${bySettled(id)}`,
  });
  const digits = phone.replaceAll(/\D/g, '');
  return [
    ...(/000\s?000/.test(abn) ? [real('abn', `ABN ${abn}`, 'a made-up number that passes the checksum')] : []),
    ...(bank.bsb === '000-000' || /^0+$/.test(bank.accountNumber)
      ? [real('bank', `Bank account ${bank.bsb} ${bank.accountNumber}`, 'zeros: no transfer can arrive')]
      : []),
    // RFC 2606.
    ...(/\.(example|test|invalid|localhost)$|@example\.(com|net|org)$/.test(email)
      ? [real('email', `Email address ${email}`, 'a domain reserved for examples: no answer can arrive')]
      : []),
    // Phone numbers that ACMA reserves for fiction.
    ...(/^0[2378](5550|7010)\d{4}$|^04915701/.test(digits)
      ? [real('phone', `Phone ${phone}`, 'a number reserved for fiction: nobody can reach us')]
      : []),
    confirm('address', `Address ${address.street}, ${address.city} ${address.postcode}`, 'address'),
    confirm('company', `Company ${legalName}, trading as ${name}: registered, and the business name too`, 'legalName'),
    confirm('gst', 'Registration for GST: all prices include it, and invoices are headed "Tax invoice"'),
    confirm('social', `Profiles at ${Object.keys(social).join(', ') || 'no social network'}`, 'social'),
    confirm('licence', 'The LICENSE of the program and of its content names this company as owner'),
    ...(copyrightYear < Number(today.slice(0, 4))
      ? [
          confirm(
            'copyright-year',
            `© ${copyrightYear} in the footer`,
            'copyrightYear',
            'the specification, which shows this year',
          ),
        ]
      : []),
  ];
}

const openClaims = ({ content }: OpeningFacts) =>
  content.claims.filter(({ proof, hidden }) => proof === undefined && !hidden);

function claimItem({ id, value, wording, source, ownRecords }: Content['claims'][number]): OpeningItem {
  const restsOn = ownRecords ? `${source}. ${ownRecords}` : source;
  return { id: `claim-${id}`, what: `${value} ${wording}`, restsOn, settle: null };
}

function figures(facts: OpeningFacts): OpeningItem[] {
  const { content, taken, rated, own, unwritten } = facts;
  const unprovedOriginalPrices = content.site.hideUnprovedPrices ? 0 : facts.unprovedOriginalPrices;
  const of = (id: string, count: number, what: string, restsOn = brief, settle = ''): OpeningItem[] =>
    count === 0 ? [] : [{ id, what, restsOn, settle: settle || `correct what is wrong, then ${bySettled(id)}` }];
  return [
    ...of(
      'original-prices',
      unprovedOriginalPrices,
      `Original prices, struck through, of ${unprovedOriginalPrices} courses`,
      brief,
      'on the page Prices, confirm those that were charged; for the others, tick "Hide original prices without proof" in the settings',
    ),
    ...of('learners', taken, `Learner counts of ${taken} courses, and HOT and Popular Choice that follow from them`),
    ...of('ratings', rated, `Ratings of ${rated} courses, without reviews that anyone can read`),
    ...of('pass-rates', own.certifications, `Pass rates of ${own.certifications} certifications`),
    ...of(
      'instructors',
      own.instructors,
      `${own.instructors} instructors, their years of experience, and "Cybersecurity Expert" under each name`,
      'the sample content; the words are the specification’s',
    ),
    ...of(
      'modules',
      unwritten.length,
      `${unwritten.length} courses that are sold as guided study and have modules without text`,
      unwritten.map(({ title, modules, written }) => `${title} (${written} of ${modules} written)`).join('; '),
      'write the modules under Content, Modules, or take "Guided study" off the course',
    ),
    {
      id: 'promotion',
      what: 'The first promotion, whose countdown begins as soon as the catalogue is first filled',
      restsOn: 'the specification; "up to 30% off" is true of one combo',
      settle: `end it on the page Prices, Promotion, or ${bySettled('promotion')}`,
    },
  ];
}

function partners({ content }: OpeningFacts): OpeningItem[] {
  return content.partners
    .filter(({ proof, hidden }) => proof === undefined && !hidden)
    .map(({ name, meaning }) => ({
      id: `partner-${name}`,
      what: `${name} as an authorised partner, with its name as a mark`,
      restsOn: meaning ?? brief,
      settle: null,
    }));
}

function texts(): OpeningItem[] {
  const restsOn = 'no advice of a lawyer on record';
  const item = (id: string, what: string): OpeningItem => ({
    id,
    what: `${what} (${id})`,
    restsOn,
    settle: null,
    field: 'settled',
  });
  return [
    item('terms', 'The terms'),
    item('privacy', 'The privacy policy'),
    item('exam-guarantee', 'The exam guarantee, and whether it needs the words for warranties against defects'),
    item(
      'job-guarantee',
      'The job guarantee: the agreement that the site names and does not have, the words for warranties against defects, and the name, because it refunds tuition and guarantees no job',
    ),
    item('blue-card', 'Attendees under 18: whether staff need blue cards in Queensland'),
    item('children', 'Attendees under 18 and school leavers: the Children’s Online Privacy Code'),
    item('calls', 'Enrolments by phone: the rules on unsolicited agreements, ACL part 3-2'),
    item('titles', 'Course titles that are the names of credentials, and the trade marks of their bodies'),
  ];
}

function settings({
  settings: { hasMailServer, takesEmail, baseUrl, clockIsSet },
  content,
}: OpeningFacts): OpeningItem[] {
  const { protocol, hostname } = new URL(baseUrl);
  const item = (id: string, what: string, restsOn: string, settle: string): OpeningItem => ({
    id,
    what,
    restsOn,
    settle,
  });
  return [
    ...(hasMailServer ? [] : [item('SMTP_URL', 'No mail server is set up', 'SMTP_URL is not set', 'set SMTP_URL')]),
    ...(takesEmail
      ? []
      : [
          item(
            'INBOUND_MAIL_PORT',
            `What people write to ${content.site.email} is not in the inbox of staff`,
            'INBOUND_MAIL_PORT is not set',
            'set INBOUND_MAIL_PORT, and let the mail server hand these emails over there (docs/operating.md)',
          ),
        ]),
    ...(protocol === 'https:' && hostname !== 'localhost'
      ? []
      : [item('BASE_URL', `Links lead to ${baseUrl}`, 'BASE_URL is not an https address', 'set BASE_URL')]),
    ...(clockIsSet ? [item('TODAY', 'The clock does not show the true day', 'TODAY is set', 'unset TODAY')] : []),
  ];
}
