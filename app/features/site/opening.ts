import type { Content } from '#app/features/content/schema.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';

/** Something the owner has to settle before the site may sell to the public. */
type OpeningItem = {
  /** Under which “Settled before opening” names it; claims and partners are settled by a `proof` of their own. */
  id: string;
  what: string;
  /** The placeholder in use until then. */
  restsOn: string;
  /** How to settle it; null when the group says it for all. */
  settle: string | null;
};
export type OpeningGroup = { title: string; settle: string | null; items: OpeningItem[] };

/** The program's settings that matter before the opening. */
export type OpeningSettings = { hasMailServer: boolean; takesEmail: boolean; baseUrl: string; clockIsSet: boolean };

export type OpeningFacts = {
  content: Pick<Content, 'site' | 'claims' | 'partners' | 'pages'>;
  /**
   * Courses on offer that somebody took, those with a rating, and those with an original price that no record proves.
   */
  taken: number;
  rated: number;
  unprovedOriginalPrices: number;
  passRates: number;
  instructors: number;
  /** Guided courses whose weekly live hour is not planned: each sells one (P38). */
  guidedWithoutHour: number;
  settings: OpeningSettings;
  today: Day;
};

const brief = 'the academy brief of 2025, which is a source but not proof';

/**
 * What the owner has still to settle before opening, in groups; a group without items is left out. Specified words and
 * figures stay on the site: the list says what each rests on.
 */
export function openingList(facts: OpeningFacts): OpeningGroup[] {
  const settled = new Set((facts.content.site.settled ?? []).map(({ what }) => what));
  return [
    { title: 'Who sells, and where money goes', settle: null, items: placeholders(facts) },
    {
      title: 'Claims that no record proves',
      settle:
        'Add a proof to each, under Claims: which record of the academy shows it. Take away those that have none.',
      items: claims(facts),
    },
    { title: 'Prices, counts and people in the catalogue', settle: null, items: figures(facts) },
    {
      title: 'Partners called authorised',
      settle: 'Add a proof to each, under Partners: agreement or letter, with its day. Take away those that have none.',
      items: partners(facts),
    },
    {
      title: 'Texts that a lawyer should see',
      settle:
        'Once advised, add the name in brackets to “Settled before opening” in the settings of the site, with who advised and when.',
      items: texts(facts),
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

const bySettled = (id: string, where = 'in the settings of the site') =>
  `add "${id}" to “Settled before opening” ${where}, with what shows it`;

/** Details that cannot be real, and details that only a person can check. */
function placeholders({ content: { site }, today }: OpeningFacts): OpeningItem[] {
  const { abn, bank, email, phone, address, legalName, name, copyrightYear, social } = site;
  const real = (id: string, what: string, why: string): OpeningItem => ({
    id,
    what,
    restsOn: why,
    settle: `put the real one into the settings of the site, or ${bySettled(id, 'there')}`,
  });
  const confirm = (id: string, what: string, restsOn = 'the sample content'): OpeningItem => ({
    id,
    what,
    restsOn,
    settle: `correct it in the settings of the site if it is wrong, then ${bySettled(id, 'there')}`,
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
    confirm('address', `Address ${address.street}, ${address.city} ${address.postcode}`),
    confirm('company', `Company ${legalName}, trading as ${name}: registered, and the business name too`),
    confirm('social', `Profiles at ${Object.keys(social).join(', ') || 'no social network'}`),
    confirm('licence', 'The LICENSE of the program and of its content names this company as owner'),
    ...(copyrightYear < Number(today.slice(0, 4))
      ? [confirm('copyright-year', `© ${copyrightYear} in the footer`, 'the specification, which shows this year')]
      : []),
  ];
}

function claims({ content }: OpeningFacts): OpeningItem[] {
  return content.claims
    .filter(({ proof }) => proof === undefined)
    .map(({ id, value, wording, source, ownRecords }) => ({
      id: `claim-${id}`,
      what: `${value} ${wording}`,
      restsOn: ownRecords ? `${source}. ${ownRecords}` : source,
      settle: null,
    }));
}

function figures(facts: OpeningFacts): OpeningItem[] {
  const { taken, rated, unprovedOriginalPrices, passRates, instructors, guidedWithoutHour } = facts;
  const of = (id: string, count: number, what: string, restsOn = brief, settle = ''): OpeningItem[] =>
    count === 0 ? [] : [{ id, what, restsOn, settle: settle || `correct what is wrong, then ${bySettled(id)}` }];
  return [
    ...of(
      'original-prices',
      unprovedOriginalPrices,
      `Original prices, struck through, of ${unprovedOriginalPrices} courses`,
      brief,
      'on the page Prices, confirm each or all with what shows that it was charged, or take it off the price',
    ),
    ...of('learners', taken, `Learner counts of ${taken} courses, and HOT and Popular Choice that follow from them`),
    ...of('ratings', rated, `Ratings of ${rated} courses, without reviews that anyone can read`),
    ...of('pass-rates', passRates, `Pass rates of ${passRates} certifications`),
    ...of(
      'instructors',
      instructors,
      `${instructors} instructors, their years of experience, and "Cybersecurity Expert" under each name`,
      'the sample content; the words are the specification’s',
    ),
    ...of(
      'live-hours',
      guidedWithoutHour,
      `${guidedWithoutHour} guided courses without the weekly live hour that their pages sell`,
      'a promise: nobody has planned these hours',
      'on the page Classes, press "New live hour" for each course, or take "guided" off the course in the editor',
    ),
  ];
}

function partners({ content }: OpeningFacts): OpeningItem[] {
  return content.partners
    .filter(({ proof }) => proof === undefined)
    .map(({ name, meaning }) => ({
      id: `partner-${name}`,
      what: `${name} as an authorised partner, with its name as a mark`,
      restsOn: meaning ?? brief,
      settle: null,
    }));
}

function texts({ content }: OpeningFacts): OpeningItem[] {
  const restsOn = 'no advice of a lawyer on record';
  const item = (id: string, what: string): OpeningItem => ({ id, what: `${what} (${id})`, restsOn, settle: null });
  const versions = content.pages.flatMap(({ slug, title, inForceFrom }) =>
    inForceFrom
      ? [item(`${slug}-${inForceFrom}`, `${title}, the version of ${formatDays(inForceFrom, inForceFrom)}`)]
      : [],
  );
  return [
    ...versions,
    item('exam-guarantee', 'The exam guarantee, and whether it needs the words for warranties against defects'),
    item('job-guarantee', 'The agreement of the job guarantee programmes, which the site names and does not have'),
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
