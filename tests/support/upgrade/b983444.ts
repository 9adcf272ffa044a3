import type { Day } from '#app/lib/dates.ts';
import { type Enrolment, type Place, type Session, World } from '#tests/support/random/world.ts';

/** The last migration that commit b983444 had. */
export const lastMigration = 26;

/** Monday, noon in Brisbane: the next minute after its rows. */
export const now = new Date('2025-10-06T12:00:00+10:00');

const session = (id: number, slug: string, startsOn: Day, capacity: number, parts: Partial<Session> = {}): Session => ({
  id,
  slug,
  course: slug.startsWith('cissp') ? 'cissp' : 'comptia-security-plus',
  startsOn,
  capacity,
  minimum: 1,
  state: 'confirmed',
  ...parts,
});
const past = session(4, 'comptia-security-plus-online-2025-09-22', '2025-09-22', 8);
const october = session(5, 'comptia-security-plus-online-2025-10-13', '2025-10-13', 8);
const december = session(6, 'comptia-security-plus-online-2025-12-08', '2025-12-08', 10);
const november = session(7, 'cissp-online-2025-11-03', '2025-11-03', 12);
/** The academy moved it by a week on 2 October. */
const moved = session(8, 'cissp-online-2025-11-17', '2025-11-24', 6);
const tentative = session(9, 'cissp-online-2026-01-12', '2026-01-12', 6, { minimum: 4, state: 'tentative' });
/** It was full until one of two places was given back on 3 October; that seat is offered. */
const wanted = session(10, 'comptia-security-plus-online-2025-11-10', '2025-11-10', 3);
/** The academy cancelled it on 27 September. */
const off = session(11, 'comptia-security-plus-online-2025-11-24', '2025-11-24', 6, { minimum: 3, state: 'cancelled' });

/** What staff see of the seats of each session. */
export const seats: [Session, string][] = [
  [past, '2 sold, 0 held, 0 offered, 6 left of 8'],
  [october, '5 sold, 0 held, 0 offered, 3 left of 8'],
  // Two held for a quote, and one by somebody who fills in the form.
  [december, '5 sold, 3 held, 0 offered, 2 left of 10'],
  [november, '9 sold, 1 held, 0 offered, 2 left of 12'],
  [moved, '2 sold, 0 held, 0 offered, 4 left of 6'],
  [tentative, '1 sold, 0 held, 0 offered, 5 left of 6'],
  [wanted, '2 sold, 0 held, 1 offered, 0 left of 3'],
  // Cancelled: nothing is left to sell.
  [off, '1 sold, 0 held, 0 offered'],
];

type In = Session | 'guided' | 'next-date';
/** A place: its id, where it is, and what of its price is charged now, in cents. */
const place = (id: number, where: In, cents: number, parts: Partial<Place> = {}): Place => ({
  id,
  attendee: id,
  causedOn: null,
  course: '',
  way: typeof where === 'string' ? where : 'session',
  session: typeof where === 'string' ? null : where,
  monday: null,
  modules: 1,
  opened: 0,
  discount: 0,
  withdrawn: 0,
  bare: cents,
  used: 0,
  placedHour: 0,
  boundHour: 0,
  active: true,
  moves: [],
  freeMoveUsed: false,
  choice: null,
  ...parts,
});
const ended = { active: false };

/** Cents that were invoiced, credited, and that came in; none was refunded: the one refund failed. */
type Account = { invoiced: number; credited?: number; paid?: number };
export type Buyer = Enrolment & { buyer: string; invoiced: number; credited: number };
const enrolment = (id: number, buyer: string, token: string, account: Account, places: Place[]): Buyer => ({
  id,
  buyer,
  token,
  reference: buyer,
  email: '',
  combo: false,
  places,
  invoiced: account.invoiced,
  credited: account.credited ?? 0,
  paid: account.paid ?? 0,
  refunded: 0,
});

/** Written down from the rows and from what was done, not by the program. CISSP is at AU$5,499, Security+ at AU$2,299. */
export const buyers: Buyer[] = [
  enrolment(
    1,
    'Charles Babbage',
    '378b460b62c61023348603825c46c87558b35f8d7fc85810',
    { invoiced: 1_099_800, paid: 1_099_800 },
    [place(1, november, 549_900), place(2, november, 549_900)],
  ),
  // A combo: she paid for all of it in two parts, and two courses are invoiced once they have a date.
  enrolment(
    2,
    'Katherine Johnson',
    '75dd379b3f0bad5c937bad57aecde66d033fb8a84aff5116',
    { invoiced: 104_915, paid: 636_700 },
    [place(3, 'guided', 104_915), place(4, 'next-date', 230_897), place(5, 'next-date', 300_888)],
  ),
  enrolment(
    3,
    'Alan Turing',
    'c962d72c87d9daafca08da2ed3af92db0ae80303b615686a',
    { invoiced: 549_900, paid: 100_000 },
    [place(6, 'guided', 549_900)],
  ),
  enrolment(
    4,
    'Jane Austen',
    'd89be67ca38bec99720c28f94526cfc5a1a9969190d1c79c',
    { invoiced: 459_800, paid: 459_800 },
    [place(7, past, 229_900), place(8, past, 229_900)],
  ),
  // The second attendee was added later, with an invoice of its own.
  enrolment(5, 'Ann Lister', '9970c9b5fb93a2048590b7ec6bb8fcbbd4791a5922f8a5f5', { invoiced: 459_800, paid: 229_900 }, [
    place(9, october, 229_900),
    place(32, october, 229_900),
  ]),
  // She moved from October to December.
  enrolment(6, 'Eliza Raine', '840f077ac15fb3e9e25402d3f07dff292f45242c7b7f72fa', { invoiced: 229_900, paid: 50_000 }, [
    place(10, october, 0, ended),
    place(33, december, 229_900),
  ]),
  // Emily cancelled eleven days before the first day: half of her place is kept.
  enrolment(
    7,
    'Maria Branwell',
    '6ac5d0b1bd1d3da77850d0b147020095aae31adc8c48cf84',
    { invoiced: 689_700, credited: 114_950, paid: 689_700 },
    [place(11, october, 114_950, ended), place(12, october, 229_900), place(13, october, 229_900)],
  ),
  enrolment(
    8,
    'George Eliot',
    '5905a5211749bd2d51f35de3e754440fd3e6d6933dfe05cb',
    { invoiced: 229_900, paid: 250_000 },
    [place(14, october, 229_900)],
  ),
  enrolment(
    9,
    'Percy Shelley',
    'f5acdbedbee40ec506900128b8b2048fecc284066e52e023',
    { invoiced: 549_900, paid: 549_900 },
    [place(15, moved, 549_900, { choice: { by: '2025-10-16', why: 'moved' } })],
  ),
  // He chose to keep the new date.
  enrolment(10, 'Lord Byron', '643e4627e692d9f4fa0da52f2441b279c5deeffd6be240c2', { invoiced: 549_900 }, [
    place(16, moved, 549_900),
  ]),
  // Her details were corrected: a note takes the first invoice back, a second one takes its place.
  enrolment(
    11,
    'Mary Winston Jackson',
    '088b5790c2d9ba1f5f743081fe1cbc9c9f0da7739ccd2318',
    { invoiced: 1_099_800, credited: 549_900 },
    [place(17, november, 549_900)],
  ),
  enrolment(
    12,
    'Dorothy Vaughan',
    'fb7f8ab2f85704d8371863d229e75137b6e8ead7d73f2ca8',
    { invoiced: 549_900, credited: 549_900 },
    [place(18, november, 0, ended)],
  ),
  enrolment(13, 'Leigh Hunt', '2438676d2453c3cf37d6ca2d3eebbac49f1a6dadb43b3e74', { invoiced: 549_900 }, [
    place(19, tentative, 549_900),
  ]),
  enrolment(
    14,
    'John Keats',
    '639e92e338256f8bd2152b8ff2415452220c57bdaac332e4',
    { invoiced: 459_800, credited: 229_900, paid: 459_800 },
    [place(20, wanted, 229_900), place(21, wanted, 0, ended)],
  ),
  enrolment(
    15,
    'Fanny Brawne',
    'c85f17d397f56e91c837921b3675ed0d8a9f532f4e550996',
    { invoiced: 229_900, paid: 229_900 },
    [place(22, wanted, 229_900)],
  ),
  enrolment(16, 'William Blake', '73f9e2667129e6079e8a9d29bf5999d48854621cdd38f189', { invoiced: 229_900 }, [
    place(23, off, 229_900, { choice: { by: '2025-10-11', why: 'cancelled' } }),
  ]),
  enrolment(17, 'Hedy Lamarr', '450e106c282ae4c7883d284cd5e5957abb864a37361ddd87', { invoiced: 459_800 }, [
    place(24, december, 229_900),
    place(25, december, 229_900),
  ]),
  enrolment(
    18,
    'Max Planck',
    'f4e948d1831949d5745d9d2ff92656bafbe06918b58470e0',
    { invoiced: 549_900, paid: 549_900 },
    [place(26, november, 549_900)],
  ),
  enrolment(
    19,
    'Niels Bohr',
    '2c8f0c8b244e6434e788cf53428dd12611281759de5a98df',
    { invoiced: 549_900, paid: 549_900 },
    [place(27, november, 549_900)],
  ),
  enrolment(
    20,
    'Marie Curie',
    '7c3967cea1bea542c52d3cef56284fdbe5e0d98e9052239e',
    { invoiced: 549_900, paid: 549_900 },
    [place(28, november, 549_900)],
  ),
  // Paid twice.
  enrolment(
    21,
    'Irene Joliot',
    '87cf799f8219270f835d848b001c84a97752be7febedd595',
    { invoiced: 549_900, paid: 1_099_800 },
    [place(29, november, 549_900)],
  ),
  enrolment(22, 'Enrico Fermi', '6d64181011dbbd99b8965fbb901b503cf9353fdbac62d634', { invoiced: 549_900 }, [
    place(30, november, 549_900),
  ]),
  enrolment(23, 'Wolfgang Pauli', 'fdbaf7ec49b5f596151a30dead0c02d7e60c1102ed475ee3', { invoiced: 549_900 }, [
    place(31, november, 549_900),
  ]),
  enrolment(24, 'Simone Weil', '2e82271be981cca5d5f82a95d36cd2eaa27a8656066cd9d7', { invoiced: 229_900 }, [
    place(34, december, 229_900),
  ]),
  enrolment(25, 'Hannah Arendt', 'fd2568ebbf09e4933363ee086c25833cfab4010f3e79423e', { invoiced: 229_900 }, [
    place(35, december, 229_900),
  ]),
];

/** Pages that private links of then lead to, and what stands there. */
export const links: [string, string][] = [
  ['/place/99f1d3c94bd626589dc88794ae7ec6c75ede5a58f8a9cca5', 'Charlotte’s place'],
  ['/waiting/d4f9720032914464a768a05060b8e9f8d07cf081f6eafbcd', 'None: you are next'],
  ['/booking/55022e373f5dd9f9231bf280e661174ce47f12096613581f', 'rosalind.franklin@example.net'],
  ['/chat/5f02aa365597e43e6099af0ba555e5612f6f1ff06f7218f0', 'Yes, it is.'],
  ['/enrol/2f9b2c294c52cb44050a5ff4f8e51144b4e72f8f18d2601b/payer', '12:05 PM'],
];

/** The rows as the model of the invariants knows them. */
export function world(): World {
  return Object.assign(new World(), { sessions: seats.map(([one]) => one), enrolments: buyers });
}
