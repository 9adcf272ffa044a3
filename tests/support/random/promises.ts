import { addDays, businessDays, type Day, earliest, latest } from './calendar.ts';
import type { Enrolment, Place, Session, World } from './world.ts';

/** A line of a tax invoice: what it charged for a place, and what is left of that after adjustment notes. In cents. */
type Line = { place: Place; amount: number; left: number };
/** `debt` is the number of the first invoice for the same debt. */
export type Invoice = { number: string; debt: string; issuedOn: Day; printed: Day; lines: Line[] };
/**
 * What is open of an invoice, or of one of its instalments (0: of none); `asked` of it is for places that stand, `choosing`
 * while their buyer chooses. In cents.
 */
export type Open = {
  number: string;
  instalment: number;
  due: Day | null;
  open: number;
  dueCents: number;
  asked: number;
  choosing: number;
};
/** Days and amounts agreed for a debt `on` a day, the first one first; `agreement` numbers the agreements. */
type Agreement = { agreement: number; on: Day; instalments: readonly { on: Day; cents: number }[] };
type Told = { debt: string; agreed: string; step: number | null; on: Day };

/** P39: 14 days after issue, or two business days before the first day, whichever is earlier. */
export function printedDue(issuedOn: Day, firstDay: Day | null): Day {
  const days = [addDays(issuedOn, 14), ...(firstDay === null ? [] : [businessDays(firstDay, -2)])];
  return notTooSoon(issuedOn, earliest(days) ?? issuedOn);
}
/** P39: never sooner than three business days after issue. */
export const notTooSoon = (issuedOn: Day, due: Day): Day => latest([businessDays(issuedOn, 3), due]) ?? due;

export const firstDayOf = (place: Place): Day | null =>
  place.way === 'session' ? (place.session?.startsOn ?? null) : place.monday;

/**
 * What buyers were promised in writing and told of money, and what follows from that by P39. The figures of the documents
 * are checked where they are read; nothing here calls the program.
 */
export class Promises {
  invoices = new Map<Enrolment, Invoice[]>();
  /** Every id that a place has had: a move gives it another. */
  places = new Map<number, Place>();
  private told = new Map<Enrolment, Told[]>();
  private world: World;
  constructor(world: World) {
    this.world = world;
  }

  of(enrolment: Enrolment): Invoice[] {
    return this.invoices.get(enrolment) ?? [];
  }

  private agreements = new Map<string, Agreement>();
  private count = 0;
  /** An agreement takes the place of one before; without instalments it ends that. */
  agree(debt: string, instalments: Agreement['instalments']): void {
    this.count += 1;
    if (instalments.length > 0) this.agreements.set(debt, { agreement: this.count, on: this.world.today, instalments });
    else this.agreements.delete(debt);
  }

  hasAgreement(debt: string): boolean {
    return this.agreements.has(debt);
  }

  /** Of each debt after the last act, in cents: what is left of it after notes, and what of that is open. */
  private settled = new Map<Enrolment, { money: number; debts: Map<string, { left: number; open: number }> }>();

  /**
   * After each act: money has paid what it was for, and stays there. Fails when a debt has more open than before although no
   * money went back meanwhile (decision 156).
   */
  settle(enrolment: Enrolment): void {
    const money = enrolment.paid - enrolment.refunded;
    const open = this.open(enrolment);
    const debts = new Map(
      [...Map.groupBy(this.of(enrolment), ({ debt }) => debt)].map(([debt, its]) => {
        const numbers = its.map(({ number }) => number);
        const openCents = sumOf(open.filter(({ number }) => numbers.includes(number)).map((one) => one.open));
        return [debt, { left: sumOf(its.map(leftOf)), open: openCents }];
      }),
    );
    const before = this.settled.get(enrolment);
    for (const [debt, then] of before && money >= before.money ? before.debts : []) {
      if ((debts.get(debt)?.open ?? 0) > then.open) throw new Error(`${debt} of ${enrolment.reference} is open again`);
    }
    this.settled.set(enrolment, { money, debts });
  }

  /**
   * The invoices of which something is open. Money stays with what it paid. When some went back, what is due last lacks it.
   * More money pays what is due first, then what is due next, then the rest.
   */
  open(enrolment: Enrolment): Open[] {
    const unordered = this.of(enrolment).flatMap((invoice) => this.partsOf(invoice));
    // An instalment that is due sooner than its invoice would be takes no money from other invoices.
    const rank = ({ due, paidFrom, invoice, instalment, kind }: (typeof unordered)[number]) =>
      [
        due === null ? '9999' : paidFrom,
        invoice.printed,
        invoice.number,
        String(instalment).padStart(3, '0'),
        { standing: 1, kept: 2, choosing: 3, waiting: 4 }[kind],
      ].join(' ');
    const parts = unordered.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    const money = enrolment.paid - enrolment.refunded;
    const purses = new Map(
      [...(this.settled.get(enrolment)?.debts ?? [])].map(([debt, { left, open }]) => [debt, left - open]),
    );
    let spent = 0;
    for (const part of parts) {
      const purse = purses.get(part.invoice.debt) ?? 0;
      const poured = Math.max(0, Math.min(purse, part.cents, money - spent));
      purses.set(part.invoice.debt, purse - Math.min(purse, part.cents));
      part.cents -= poured;
      spent += poured;
    }
    for (const part of parts) {
      const poured = Math.max(0, Math.min(money - spent, part.cents));
      part.cents -= poured;
      spent += poured;
    }
    return this.of(enrolment).flatMap((invoice) => {
      const open = parts.filter((part) => part.invoice === invoice && part.cents > 0);
      return [...new Set(open.map(({ instalment }) => instalment))]
        .toSorted((a, b) => a - b)
        .map((instalment) => {
          const its = open.filter((part) => part.instalment === instalment);
          const cents = (wanted: (part: (typeof its)[number]) => boolean) =>
            sumOf(its.filter(wanted).map((part) => part.cents));
          const isDue = ({ due }: (typeof its)[number]) => due !== null;
          return {
            number: invoice.number,
            instalment,
            due: its.find(isDue)?.due ?? null,
            open: cents(() => true),
            dueCents: cents(isDue),
            asked: cents((part) => isDue(part) && part.kind === 'standing'),
            choosing: cents(({ kind }) => kind === 'choosing'),
          };
        });
    });
  }

  /**
   * What is charged by an invoice, each part with its day. Instalments take from its end, the last one first: so what was
   * paid or credited before and since meets the first ones.
   */
  private partsOf(invoice: Invoice) {
    const due = this.dueOf(invoice);
    const left = (kind: Kind) =>
      sumOf(invoice.lines.filter(({ place }) => this.kindOf(place) === kind).map((line) => line.left));
    const rest = { standing: left('standing'), kept: left('kept') };
    const agreed = this.agreements.get(invoice.debt)?.instalments ?? [];
    const decided = this.decidedOn(invoice);
    const parts: { invoice: Invoice; instalment: number; kind: Kind; due: Day | null; paidFrom: Day; cents: number }[] =
      [];
    for (const [at, { on, cents }] of [...agreed.entries()].toReversed()) {
      let wanted = cents;
      for (const kind of ['kept', 'standing'] as const) {
        const taken = Math.min(wanted, rest[kind]);
        rest[kind] -= taken;
        wanted -= taken;
        const day = due === null ? null : (latest([on, ...decided]) ?? on);
        const paidFrom = latest([day, due].flatMap((one) => one ?? [])) ?? '9999';
        parts.push({ invoice, instalment: at + 1, kind, due: day, paidFrom, cents: taken });
      }
    }
    const before = { invoice, instalment: 0, paidFrom: due ?? '9999' };
    for (const kind of ['standing', 'kept'] as const) parts.push({ ...before, kind, due, cents: rest[kind] });
    for (const kind of ['choosing', 'waiting'] as const) {
      parts.push({ ...before, kind, due: null, cents: left(kind) });
    }
    return parts;
  }

  /**
   * The printed day, or the one since which no place on it waits for a decision, if that is later. Null while one of them
   * is in a session that is not confirmed, or that was cancelled before it was and its buyer chooses. A place that was
   * moved there waits alone.
   */
  private dueOf(invoice: Invoice): Day | null {
    const { printed, lines } = invoice;
    const waits = lines.some(
      ({ place, left }) => left > 0 && place.active && !this.wasMoved(place) && isUndecided(place.session),
    );
    return waits ? null : (latest([printed, ...this.decidedOn(invoice)]) ?? printed);
  }

  /**
   * What is charged for a cancelled place is kept of it. Nothing is due meanwhile of a date that the academy cancelled, and
   * for a place that was moved to a date that is not confirmed.
   */
  private kindOf(place: Place): Kind {
    if (!place.active) return 'kept';
    if (place.session?.state === 'cancelled') return 'choosing';
    return this.wasMoved(place) && place.session?.state === 'tentative' ? 'waiting' : 'standing';
  }

  private wasMoved = (place: Place): boolean => this.world.sales.filter((sale) => sale.place === place).length > 1;

  /**
   * The days since which its places do not wait for a decision any more: of the session, or of a buyer who moved a place
   * off one that the academy cancelled.
   */
  private decidedOn({ lines }: Invoice): Day[] {
    const { sales } = this.world;
    return lines.flatMap(({ place }) => {
      const own = sales.filter((sale) => sale.place === place);
      return own.flatMap((sale) => {
        const { session, givenBackOn, leftCancelled } = sale;
        if (leftCancelled && sale !== own.at(-1)) return givenBackOn ?? [];
        if (!session.decisionNeeded) return [];
        return earliest([session.confirmedOn, givenBackOn].flatMap((day) => day ?? [])) ?? [];
      });
    });
  }

  /**
   * The invoices in the mail that reminds of money today, null for none (P39): three days before the due day, three and
   * ten days after it, each once for a debt. None on the day of issue, from the first day on, after 30 days, or twice a day.
   On the day of an agreement none of its instalments asks for a mail: the letter about it says when they are due.
   * Of a debt with instalments each has its own from three days before its day, also after the first day (P83).
   */
  remind(enrolment: Enrolment): Open[] | null {
    const { today } = this.world;
    const told = this.told.get(enrolment) ?? [];
    const asked = this.open(enrolment).flatMap((open) => {
      const invoice = this.of(enrolment).find(({ number }) => number === open.number);
      const standing = invoice?.lines.filter(({ place, left }) => left > 0 && this.kindOf(place) === 'standing') ?? [];
      const first = earliest(standing.flatMap(({ place }) => firstDayOf(place) ?? []));
      const agreement = invoice && this.agreements.get(invoice.debt);
      const near = agreement
        ? open.due !== null && today >= addDays(open.due, -3)
        : first === undefined || today < first;
      // By its instalments once some are open: what was due before them goes along.
      const agreed = open.instalment === 0 ? '' : `${agreement?.agreement} ${open.instalment}`;
      return invoice && open.asked > 0 && near ? [{ open, invoice, agreed }] : [];
    });
    const isNew = ({ open, invoice, agreed }: (typeof asked)[number]) => {
      const step = stepOf(open.due, today);
      const before = told.some(
        (one) => one.debt === invoice.debt && one.agreed === agreed && (one.step ?? -9) >= (step ?? 99),
      );
      const isAgreedToday = agreed !== '' && this.agreements.get(invoice.debt)?.on === today;
      return step !== null && invoice.issuedOn !== today && !isAgreedToday && !before;
    };
    const isToldToday = asked.some(({ invoice }) => told.some(({ debt, on }) => debt === invoice.debt && on === today));
    if (isToldToday || !asked.some(isNew)) return null;
    const now = asked.map(({ open, invoice: { debt }, agreed }) => ({
      debt,
      agreed,
      step: stepOf(open.due, today),
      on: today,
    }));
    this.told.set(enrolment, [...told, ...now]);
    return asked.map(({ open }) => open);
  }
}

function stepOf(due: Day | null, today: Day): number | null {
  if (due === null || today > addDays(due, 30)) return null;
  return [10, 3, -3].find((days) => today >= addDays(due, days)) ?? null;
}

const isUndecided = (session: Session | null) =>
  session !== null &&
  (session.state === 'tentative' ||
    (session.state === 'cancelled' && session.decisionNeeded === true && !session.confirmedOn));

type Kind = 'standing' | 'kept' | 'choosing' | 'waiting';

const leftOf = ({ lines }: Invoice) => sumOf(lines.map(({ left }) => left));
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
