/** The sale of one seat of a training session, and whether the seat was given back since. */
export type SeatSale = {
  placeId: number;
  /** Ids of the movements in the ledger: later ones are higher. */
  soldAs: number;
  givenBackAs: number | null;
  soldAt: Date;
  /** Whether the place is held and can no longer be cancelled for everything. */
  firm: boolean;
  /** When it was settled that it was sold again. */
  settledAt: Date | null;
  /** Ids of buyer and attendee as people (P50), their folded addresses, and their names as they were written. */
  people: readonly number[];
  mailboxes: readonly string[];
  names: readonly string[];
};

/**
 * Returns the ids of cancelled places whose seats were sold again (P40), earlier findings included. The session must
 * be full with seats that can no longer be cancelled for a full refund, and each cancelled place needs a later sale to
 * somebody else: the first cancellation takes the first sale. A session that only got smaller has sold nothing again.
 */
export function soldAgain(sales: readonly SeatSale[], capacity: number): Set<number> {
  const again = new Set<number>();
  const used = new Set<number>();
  const firm = sales.filter((sale) => sale.firm);
  for (const given of byGivingBack(sales)) {
    const later = sales.filter(
      (sale) => sale.soldAs > given.givenBackAs && !used.has(sale.placeId) && !isSamePerson(sale, given),
    );
    const next = given.settledAt ? settledBy(later, given.settledAt) : later.find((sale) => sale.firm);
    if (!next) continue;
    used.add(next.placeId);
    const counted = firm.filter((sale) => sale.soldAs < given.givenBackAs || !isSamePerson(sale, given));
    if (counted.length >= capacity) again.add(given.placeId);
  }
  return again;
}

type GivenBack = SeatSale & { givenBackAs: number };

const byGivingBack = (sales: readonly SeatSale[]): GivenBack[] =>
  sales
    .flatMap(({ givenBackAs, ...sale }) => (givenBackAs === null ? [] : [{ ...sale, givenBackAs }]))
    .toSorted((a, b) => a.givenBackAs - b.givenBackAs);

/** The sale that an earlier run took for the resale; it may have been cancelled since. */
function settledBy(later: readonly SeatSale[], settledAt: Date): SeatSale | undefined {
  const before = later.filter(({ soldAt }) => soldAt <= settledAt);
  return before.find(({ firm }) => firm) ?? before.at(0);
}

/** The same person or address of buyer or attendee, or the same name written alike. */
function isSamePerson(
  one: Pick<SeatSale, 'people' | 'mailboxes' | 'names'>,
  other: Pick<SeatSale, 'people' | 'mailboxes' | 'names'>,
): boolean {
  const names = new Set(other.names.map(foldName));
  return (
    one.people.some((id) => other.people.includes(id)) ||
    one.mailboxes.some((mailbox) => other.mailboxes.includes(mailbox)) ||
    one.names.some((name) => foldName(name) !== '' && names.has(foldName(name)))
  );
}

/** Without capital letters and spaces. */
const foldName = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');
