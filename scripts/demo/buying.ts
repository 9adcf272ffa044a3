import { readComboRows } from '#app/features/catalogue/promotions/queries.server.ts';
import { readTermsId } from '#app/features/catalogue/site/terms.server.ts';
import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import type { AttendeeWish, CourseChoice, Order, Payer } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { cancelPlace, movePlace } from './leaving.ts';
import { abnOf, firstNames, lastNames, organisations } from './names.ts';
import { transferMoney } from './paying.ts';
import type { Sold } from './planning.ts';
import { openAccount } from './players.ts';
import { type Stage, weekday } from './stage.ts';
import { study } from './teaching.ts';
import { joinList } from './waiting.ts';

export type Someone = { name: string; email: string };

const mailDomains = [
  'inboxmail',
  'southmail',
  'reefpost',
  'outbackmail',
  'bluegum',
  'harbourmail',
  'sunnymail',
  'tidepost',
];
let someones = 0;

/** A person with an address of their own. */
export function someone({ draw }: Pick<Stage, 'draw'>, domain?: string): Someone {
  const [first, last] = [draw.of(firstNames), draw.of(lastNames)];
  someones += 1;
  const local = `${first}.${last}`.toLowerCase();
  return { name: `${first} ${last}`, email: `${local}${someones}@${domain ?? draw.of(mailDomains)}.example` };
}

/** Somebody enrols: in a course or a combo, for themselves or for colleagues; what follows is put on the agenda. */
export async function enrol(stage: Stage, courses: readonly Sold[]): Promise<string | null> {
  const { draw } = stage;
  const moment = stage.moment();
  const chosen = draw.chance(0.1) ? await chooseCombo(stage, moment) : await chooseCourse(stage, courses, moment);
  if (!chosen) return null;
  const organisation = draw.chance(0.22) ? draw.of(organisations) : null;
  const buyer = someone(stage, organisation?.domain);
  const count = organisation ? 1 + draw.below(4) : draw.chance(0.06) ? 2 : 1;
  const attendees = [
    ...(organisation ? [] : [attending(buyer)]),
    ...Array.from({ length: organisation ? count : count - 1 }, () => attending(someone(stage, organisation?.domain))),
  ];
  const payer: Payer = organisation
    ? {
        kind: 'organisation',
        organisation: organisation.name,
        abn: abnOf(organisation.digits),
        address: organisation.address,
        purchaseOrder: draw.chance(0.6) ? `PO-${10_000 + draw.below(90_000)}` : null,
        accountsEmail: draw.chance(0.4) ? `accounts@${organisation.domain}.example` : null,
      }
    : { kind: 'person', address: null };
  if (!(await hasSeats(stage, chosen, attendees.length))) {
    return waitForSeat(stage, chosen, { ...buyer, seats: attendees.length });
  }
  const placed = await stage.transaction(async (trx) => {
    const courseIds = chosen.choices.map(({ courseId }) => courseId);
    const product = await readProduct(trx, { comboId: chosen.comboId, courseIds }, moment.now);
    const termsId = await readTermsId(trx);
    if (!product || termsId === null) return { ok: false, reason: 'not-offered' } as const;
    const order: Order = {
      ...chosen,
      attendees,
      buyer: { ...buyer, phone: draw.chance(0.5) ? `+614910${String(10_000 + draw.below(89_999))}` : null },
      payer,
      termsId,
      draftId: null,
      prices: null,
      shownCents: quoteOfPrices(product.prices, attendees.length).totalCents,
      actor: theBuyer,
    };
    const slugs = courses.filter(({ id }) => courseIds.includes(id)).map(({ slug }) => slug);
    await countBegun(trx, moment.today, slugs);
    return placeEnrolment(trx, order, moment);
  });
  if (!placed.ok) return `enrolments refused: ${placed.reason}`;
  await whatFollows(stage, placed, buyer);
  if (draw.chance(0.3)) stage.later(draw.below(5), 21, () => openAccount(stage, buyer.email));
  return 'enrolments placed';
}

type Chosen = { comboId: number | null; choices: CourseChoice[] };

export const attending = ({ name, email }: Someone): AttendeeWish => ({
  name,
  email,
  needs: null,
  under18: false,
  guardian: null,
});

async function chooseCourse(stage: Stage, courses: readonly Sold[], moment: Moment): Promise<Chosen | null> {
  const { draw } = stage;
  if (draw.chance(0.2)) {
    const guided = draw.of(courses.filter((course) => course.guided).slice(0, 25));
    return { comboId: null, choices: [{ courseId: guided.id, way: 'guided', from: laterMonday(stage, moment.today) }] };
  }
  const dates = await openDates(stage, moment);
  if (dates.length === 0) return null;
  // The next dates are wanted most.
  const { id, courseId } = draw.of(dates.slice(0, 4 + draw.below(14)));
  return { comboId: null, choices: [{ courseId, way: 'date', courseDateId: id }] };
}

async function chooseCombo(stage: Stage, moment: Moment): Promise<Chosen | null> {
  const { db, draw } = stage;
  const combo = draw.of(await readComboRows(db));
  const dates = await openDates(stage, moment);
  const rows = await db.selectFrom('courses').select(['id', 'guided']).where('id', 'in', combo.courseIds).execute();
  const choices = combo.courseIds.map((courseId): CourseChoice => {
    const date = dates.find((one) => one.courseId === courseId && one.left > 0);
    if (date) return { courseId, way: 'date', courseDateId: date.id };
    const guided = rows.some((row) => row.id === courseId && row.guided);
    return guided
      ? { courseId, way: 'guided', from: laterMonday(stage, moment.today) }
      : { courseId, way: 'next-date' };
  });
  return choices.every(({ way }) => way === 'next-date') ? null : { comboId: combo.id, choices };
}

/** A Monday on which guided study is offered for certain: the third one or later. */
const laterMonday = ({ draw }: Stage, today: Day): Day =>
  addDays(today, ((8 - weekday(today)) % 7 || 7) + 7 * (2 + draw.below(3)));

const openDates = ({ db }: Stage, { today }: Moment) =>
  db
    .selectFrom('course_dates')
    .select(['course_dates.id', 'course_id as courseId', seatsLeft])
    .where('state', '<>', 'cancelled')
    .where('starts_on', '>', today)
    .where('enrolment_ends_on', '>=', today)
    .orderBy('starts_on')
    .orderBy('course_dates.id')
    .execute();

async function hasSeats(stage: Stage, { choices }: Chosen, seats: number): Promise<boolean> {
  const dates = await openDates(stage, stage.moment());
  return choices.every(
    (choice) => choice.way !== 'date' || (dates.find(({ id }) => id === choice.courseDateId)?.left ?? 0) >= seats,
  );
}

/** A date is full: the person waits for a seat. */
async function waitForSeat(
  stage: Stage,
  { comboId, choices }: Chosen,
  { name, email, seats }: Someone & { seats: number },
): Promise<string | null> {
  const [choice] = choices;
  if (comboId !== null || choice?.way !== 'date') return null;
  return joinList(stage, { courseId: choice.courseId, courseDateId: choice.courseDateId, seats, name, email });
}

/** Money comes, some buyers change their plans, and guided study begins on its Monday. */
async function whatFollows(stage: Stage, { enrolmentId }: { enrolmentId: number }, buyer: Someone): Promise<void> {
  const { db, draw } = stage;
  const { places, reference, organisation } = await readEnrolment(db, enrolmentId);
  const paysAfter = draw.chance(0.82) ? draw.below(9) : draw.chance(0.75) ? 12 + draw.below(20) : null;
  if (paysAfter !== null) {
    const payer = organisation ?? buyer.name;
    // Some transfers have no reference; staff match them by hand.
    const words = draw.chance(0.04) ? payer : `${payer} ${reference}`;
    stage.later(paysAfter, 8, async () => {
      await transferMoney(stage, { enrolmentId, words });
      return null;
    });
  }
  for (const place of places) {
    const one = { id: place.id, enrolmentId };
    if (draw.chance(0.06)) stage.later(2 + draw.below(25), 20, (then) => cancelPlace(stage, one, then));
    else if (place.way === 'date' && draw.chance(0.05)) {
      stage.later(1 + draw.below(12), 20, (then) => movePlace(stage, one, then));
    }
    if (place.way !== 'guided') continue;
    const guided = { placeId: place.id, enrolmentId, attendeeId: place.attendee.id, modules: place.modules.length };
    const days = Math.round((Date.parse(place.guidedFrom) - Date.parse(stage.moment().today)) / 86_400_000);
    if (draw.chance(0.9)) stage.later(days + draw.below(6), 19, () => study(stage, guided));
  }
}
