import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Level } from '#app/lib/levels.ts';
import type { Cents } from '#app/lib/money.ts';
import type { FoldedText } from './folding.ts';
import type { Tier } from './rules.ts';
import type { Sort } from './schema.ts';
import type { Synonyms } from './synonyms.ts';

/** Everything a card shows, ready to show; `category` is the course's one category. */
export type CourseCard = {
  slug: string;
  title: string;
  description: string;
  category: { slug: string; name: string };
  icon: string;
  level: Level;
  tier: Tier;
  priceCents: Cents;
  /** Only when higher than the price (P2). */
  originalPriceCents: Cents | null;
  hours: number;
  learners: number;
  /** Null until people have rated the course. */
  rating: number | null;
  xp: number;
  isHot: boolean;
  isNew: boolean;
  isPopular: boolean;
  /** Whether it can be taken in one's own time, from a Monday of one's choice (P38). */
  guided: boolean;
};

/**
 * The proof of an original price: `the brief`, which is a source only; `the ledger`; or the owner's own words.
 * `charged` has the first and last day of each time with this price in the ledger.
 */
export type OriginalProof = { proof: string; charged: readonly { from: Day; until: Day }[] };

/**
 * A course as lists know it. `searchText` is its title and description, lower case. Folded, `names` is its title and
 * exam codes, and `subject` the same with its description, category, level and instructor.
 */
export type ListedCourse = {
  id: number;
  /** The period of its price (P76). */
  priceId: number;
  /** The proof of its original price; null without an original price (P47). */
  originalProof: OriginalProof | null;
  /** The day in Brisbane from which its price is asked. */
  priceSince: Day;
  card: CourseCard;
  trackSlugs: readonly string[];
  /** Codes of the outside exams it prepares for. */
  examCodes: readonly string[];
  /** Ids of the courses that teach the prerequisites of this course, and of the courses that continue it. */
  needs: readonly number[];
  leadsTo: readonly number[];
  instructorSlug: string;
  /** Their name. */
  instructor: string;
  publishedOn: string;
  /** The instant of the last change. */
  changedAt: Date;
  searchText: string;
  names: FoldedText;
  subject: FoldedText;
  revision: number;
};

export type Category = { slug: string; name: string; icon: string; inFilter: boolean };
export type Track = { slug: string; name: string; icon: string; description: string };
export type Instructor = { slug: string; name: string; expertise: string; experience: string; biography: string };
/** Price, hours and level of the course that prepares for the certification (P1). */
export type Certification = {
  slug: string;
  name: string;
  provider: string;
  description: string;
  overview: string;
  exam: { label: string; value: string }[];
  domains: string[];
  suits: string[];
  passRate: number;
  /** The source of the figure and its period; null when nobody recorded it. */
  passRateSource: string | null;
  jobRoles: string[];
  course: CourseCard;
};
export type CertificationGroup = {
  slug: string;
  title: string;
  description: string;
  certifications: readonly Certification[];
};

/** Courses in order towards a role; hours and price are the sums of the courses (P1). */
export type QuestLine = {
  slug: string;
  title: string;
  icon: string;
  description: string;
  role: string;
  /** `alsoNeeds` are the prerequisites of a step that are neither an earlier step nor a prerequisite of one. */
  steps: { course: CourseCard; reason: string; alsoNeeds: Pick<CourseCard, 'slug' | 'title'>[] }[];
  hours: number;
  priceCents: Cents;
  xp: number;
  /** Certifications that courses of the line prepare for. */
  certifications: { slug: string; name: string }[];
};

/** An outside exam. `on`, the day it opens or closes, is a day of the real calendar. */
export type Exam = Content['exams'][number];

/**
 * The part of the catalogue that lists and pages need, immutable and in memory. `courses` are in the default order:
 * most learners first.
 */
export type Catalogue = {
  courses: readonly ListedCourse[];
  bySlug: ReadonlyMap<string, ListedCourse>;
  byId: ReadonlyMap<number, ListedCourse>;
  /** Former slug to the course's slug now (P3). */
  aliases: ReadonlyMap<string, string>;
  /** The courses in each order one may ask for. */
  orders: Readonly<Record<Sort, readonly ListedCourse[]>>;
  /** The filter's options first, in their order. */
  categories: readonly Category[];
  tracks: readonly Track[];
  instructors: ReadonlyMap<string, Instructor>;
  certificationGroups: readonly CertificationGroup[];
  questLines: readonly QuestLine[];
  /** By code. */
  exams: ReadonlyMap<string, Exam>;
  synonyms: Synonyms;
};
