import { readTermsId } from '#app/features/catalogue/site/terms.server.ts';
import { acceptOffer, askForAcceptCode, declineOffer } from '#app/features/companies/accept-offer.server.ts';
import { nameManager, writeOrganisation } from '#app/features/companies/organisations.server.ts';
import { lastDayFrom } from '#app/features/companies/rules.ts';
import { type OfferSent, sendOffer } from '#app/features/companies/send-offer.server.ts';
import { writeOfferDraft } from '#app/features/companies/write-draft.server.ts';
import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import { nameAttendees } from '#app/features/enrolments/attendees.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { attending, type Someone, someone } from './buying.ts';
import { abnOf, organisations } from './names.ts';
import { transferMoney } from './paying.ts';
import type { Stage } from './stage.ts';

/** The agreements with the first organisations of the list (P110). */
const agreements = [
  { termsDays: 30, creditSeats: 40, discountPercent: 10, needsPurchaseOrder: true },
  { termsDays: 21, creditSeats: 20, discountPercent: 5, needsPurchaseOrder: false },
  { termsDays: null, creditSeats: 12, discountPercent: 0, needsPurchaseOrder: false },
];

type Company = (typeof organisations)[number] & { id: number; needsPurchaseOrder: boolean; manager: Someone };
type Ending = 'accepted' | 'declined' | 'over' | 'sent' | 'draft';

/**
 * Three organisations ask for quotes every other week: most are accepted, some declined, some run out. At the end there is
 * one of each state (P111).
 */
export async function tradeWithCompanies(stage: Stage, academy: Academy): Promise<void> {
  const weeks = Math.floor(daysBetween(stage.firstDay, stage.lastDay) / 7);
  for (const [at, agreement] of agreements.entries()) {
    const known = organisations[at];
    if (!known) throw new Error('there are fewer organisations than agreements');
    const company = await knowCompany(stage, known, agreement);
    for (let week = at % 2; week < weeks - 1; week += 2) {
      const ending = stage.draw.chance(0.6) ? 'accepted' : stage.draw.chance(0.5) ? 'declined' : 'over';
      stage.later(7 * week + 1 + at, 11, (moment) => quote(stage, academy, { company, ending }, moment));
    }
    const last = 7 * weeks - 3;
    for (const ending of (['sent', 'draft', 'accepted'] as const).slice(at, at + 1))
      stage.later(last + at, 11.5, (moment) => quote(stage, academy, { company, ending }, moment));
  }
}

async function knowCompany(
  stage: Stage,
  known: (typeof organisations)[number],
  agreement: (typeof agreements)[number],
): Promise<Company> {
  const { now } = stage.moment();
  const manager = someone(stage, known.domain);
  const actor = stage.team.admissions;
  const id = await stage.transaction(async (trx) => {
    const written = await writeOrganisation(
      trx,
      {
        ...agreement,
        legalName: known.name,
        tradingName: null,
        abn: abnOf(known.digits),
        mailDomains: [`${known.domain}.example`],
        address: known.address,
        accountsEmail: `accounts@${known.domain}.example`,
        notes: null,
      },
      { actor, at: now },
    );
    if (!written.ok) throw new Error(`${known.name} is there already`);
    await verifyAddress(trx, manager.email, now);
    await nameManager(trx, { organisationId: written.id, email: manager.email, actor, at: now });
    return written.id;
  });
  return { ...known, id, needsPurchaseOrder: agreement.needsPurchaseOrder, manager };
}

/** Staff write a quote for a date with room, and send it unless it stays a draft; the answer comes some days later. */
async function quote(
  stage: Stage,
  academy: Academy,
  { company, ending }: { company: Company; ending: Ending },
  moment: Moment,
): Promise<string | null> {
  const { draw } = stage;
  const people = 2 + draw.below(5);
  const date = (await datesWithRoom(stage, moment, people))[0];
  if (!date) return null;
  const sent = await stage.transaction(async (trx) => {
    const termsId = await readTermsId(trx);
    const product = await readProduct(trx, { comboId: null, courseIds: [date.courseId] }, moment.now);
    if (!product || termsId === null) return null;
    const actor = stage.team.admissions;
    const offerId = await writeOfferDraft(
      trx,
      {
        ...company.manager,
        organisation: company.name,
        abn: abnOf(company.digits),
        address: company.address,
        organisationId: company.id,
        comboId: null,
        people,
        choices: [{ courseId: date.courseId, way: 'date', courseDateId: date.id }],
        prices: product.prices,
        lastDay: lastDayFrom(moment.today, [date.enrolmentEndsOn]),
        hold: 'two-days',
        termsId,
        actor,
      },
      moment.now,
    );
    return ending === 'draft' ? null : sendOffer(trx, { offerId, actor, termsId, secret: stage.secret }, moment);
  });
  if (!sent) return ending === 'draft' ? 'quotes drafted' : null;
  if (!sent.ok) return null;
  if (ending === 'accepted') stage.later(1, 16, () => accept(stage, academy, { company, sent }));
  if (ending === 'declined') stage.later(2, 16, () => decline(stage, academy, sent));
  return 'quotes sent';
}

const datesWithRoom = ({ db }: Stage, { today }: Moment, people: number) =>
  db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_dates.course_id')
    .select(['course_dates.id', 'course_id as courseId', 'enrolment_ends_on as enrolmentEndsOn', seatsLeft])
    .where('course_dates.state', '<>', 'cancelled')
    .where('courses.retired_at', 'is', null)
    .where('starts_on', '>', addDays(today, 21))
    .where('enrolment_ends_on', '>=', addDays(today, 14))
    .orderBy('starts_on')
    .orderBy('course_dates.id')
    .execute()
    .then((dates) => dates.filter(({ left }) => left >= people));

type Accepting = { company: Company; sent: OfferSent };

/** The manager asks for the code on the quote's page, reads it in the mail and accepts; the money follows. */
async function accept(stage: Stage, academy: Academy, { company, sent }: Accepting): Promise<string | null> {
  const { db, draw } = stage;
  const { token } = sent;
  const address = '192.0.2.7';
  const { email, name } = company.manager;
  const asked = await askForAcceptCode(academy, { token, address, form: formOf({ email }) });
  if (!asked.ok) return null;
  const { body_text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', 'email-code')
    .orderBy('queued_at', 'desc')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const offer = await db
    .selectFrom('offers')
    .select(['id', 'total_cents'])
    .where('number', '=', sent.number)
    .where('version', '=', sent.version)
    .executeTakeFirstOrThrow();
  const form = formOf({
    name,
    email,
    code: /\b\d{6}\b/.exec(body_text)?.[0] ?? '',
    purchaseOrder: company.needsPurchaseOrder ? `PO-${10_000 + draw.below(90_000)}` : '',
    total: String(offer.total_cents),
    accepted: 'on',
  });
  const accepted = await acceptOffer(academy, { token, address, form });
  if (!accepted.ok)
    return `quotes not accepted: ${accepted.form.fault ?? Object.values(accepted.form.errors).join(' ')}`;
  const placed = await db
    .selectFrom('offers')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['enrolments.id', 'reference'])
    .where('offers.id', '=', offer.id)
    .executeTakeFirstOrThrow();
  stage.later(2, 10, (then) => nameColleagues(stage, { company, enrolmentId: placed.id }, then));
  if (draw.chance(0.85)) {
    stage.later(3 + draw.below(20), 8, async () => {
      await transferMoney(stage, { enrolmentId: placed.id, words: `${company.name} ${placed.reference}` });
      return null;
    });
  }
  return 'quotes accepted';
}

/** The manager names colleagues, in one company out of three all but one. */
async function nameColleagues(
  stage: Stage,
  { company, enrolmentId }: { company: Company; enrolmentId: number },
  moment: Moment,
): Promise<string | null> {
  const { places } = await readEnrolment(stage.db, enrolmentId);
  const unnamed = places.filter(({ state, attendee }) => state === 'active' && attendee.name === null);
  const wishes = unnamed.slice(stage.draw.chance(0.33) ? 1 : 0).map(({ attendee }) => ({
    attendeeId: attendee.id,
    attendee: attending(someone(stage, company.domain)),
  }));
  const named = await stage.transaction((trx) => nameAttendees(trx, { enrolmentId, wishes, actor: theBuyer }, moment));
  return named.ok ? 'colleagues named' : `colleagues not named: ${named.reason}`;
}

async function decline(stage: Stage, academy: Academy, { token }: OfferSent): Promise<string | null> {
  const words = stage.draw.of(declines);
  const declined = await declineOffer(academy, { token, address: '192.0.2.8', form: formOf({ words }) });
  return declined.ok ? 'quotes declined' : null;
}

const declines = [
  'The budget for this half is spent. We will ask again in the new year.',
  'We chose a course in Sydney this time, closer to the team.',
  'Two of the four are on leave in that week.',
];

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
