/** From when and until when somebody had a place; null for from the first moment, and until now. */
export type Span = { from: Date | null; to: Date | null };

/** A place was given to another person; `person` had it before, null where no address of theirs was known. */
type Handover = { at: Date; person: number | null };

type Held = {
  /** The earliest first. */
  handovers: readonly Handover[];
  /** The present attendee of the place. */
  holder: number | null;
  /** The person whose spans to read; the present attendee by default. */
  of?: number | undefined;
};

/** When somebody had a place (P64): more than once when it was given away and came back. */
export function spansOf({ handovers, holder, of }: Held): Span[] {
  const earlier = handovers.map(({ at, person }, number) => ({
    person,
    span: { from: handovers[number - 1]?.at ?? null, to: at },
  }));
  const now = { from: handovers.at(-1)?.at ?? null, to: null };
  const whose = of ?? holder;
  const before = earlier.flatMap(({ person, span }) => (person !== null && person === whose ? span : []));
  return of === undefined || of === holder ? [...before, now] : before;
}

/** Whether an instant lies in one of some spans. */
export const isWithin = (spans: readonly Span[], at: Date): boolean =>
  spans.some(({ from, to }) => (from === null || at > from) && (to === null || at <= to));
