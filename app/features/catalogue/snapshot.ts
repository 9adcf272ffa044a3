import type { Level } from '../../lib/levels.ts';
import type { Cents } from '../../lib/money.ts';
import type { Content } from '../content/schema.ts';
import type { Tier } from './rules.ts';

/** Everything a card shows, ready to show; `category` is the course's one category. */
export type CourseCard = {
  slug: string;
  title: string;
  description: string;
  category: { slug: string; name: string };
  treasure: string;
  level: Level;
  tier: Tier;
  priceCents: Cents;
  /** Only when higher than the price (P2). */
  originalPriceCents: Cents | null;
  hours: number;
  learners: number;
  rating: number;
  xp: number;
  isHot: boolean;
  isNew: boolean;
  isPopular: boolean;
};

/** A course as lists know it. `searchText` is its title and description, lower case. */
export type ListedCourse = {
  card: CourseCard;
  trackSlugs: readonly string[];
  /** Codes of the outside exams it prepares for. */
  examCodes: readonly string[];
  /** Slugs of courses that teach what this one takes as known, and of those that go on from here. */
  needs: readonly string[];
  leadsTo: readonly string[];
  instructorSlug: string;
  publishedOn: string;
  searchText: string;
  revision: number;
};

type Category = { slug: string; name: string; treasure: string; inFilter: boolean };
type Track = { slug: string; name: string; treasure: string; description: string };
export type Instructor = { slug: string; name: string; expertise: string; experience: string; biography: string };
/** Price, hours and level are those of the course that prepares for it (P1). */
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
  jobRoles: string[];
  course: CourseCard;
};
export type CertificationGroup = {
  slug: string;
  title: string;
  description: string;
  certifications: readonly Certification[];
};

/** Days and times are wall-clock in `zone`, an IANA name (P14). Price and level are the course's (P1). */
export type TrainingSession = {
  slug: string;
  course: CourseCard;
  startDate: string;
  endDate: string;
  startTime: string;
  endTime: string;
  zone: string;
  mode: string;
  instructor: string;
  /** Until the seat ledger opens (P27), every seat on offer. */
  seatsAvailable: number;
};

export type Combo = {
  slug: string;
  title: string;
  description: string;
  courses: CourseCard[];
  discountPercent: number;
};

/** Courses in order towards a role; hours and price are sums of theirs (P1). */
export type QuestLine = {
  slug: string;
  title: string;
  treasure: string;
  description: string;
  role: string;
  /** `alsoNeeds` are courses a step needs that no earlier step is, nor needs itself. */
  steps: { course: CourseCard; reason: string; alsoNeeds: Pick<CourseCard, 'slug' | 'title'>[] }[];
  hours: number;
  priceCents: Cents;
  xp: number;
  /** Certifications that courses of the line prepare for. */
  certifications: { slug: string; name: string }[];
};
/** `endsAt` is an instant, ISO in UTC (P16). */
export type Promotion = { subject: string; endsAt: string };

/** What is written rather than counted, as content/ has it. */
export type Texts = Pick<Content, 'heroSlides' | 'partners' | 'claims' | 'pages' | 'faq' | 'resources'>;

/** An outside exam. `on`, the day it opens or closes, is a day of the real calendar. */
export type Exam = Content['exams'][number];

/** Facts of the academy that stand on every page. */
export type Site = {
  name: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  state: string;
  postcode: string;
  copyrightYear: number;
  social: { name: string; url: string }[];
};

/**
 * What lists and frames need of the catalogue at one version, immutable and held in memory.
 * `courses` stand in the default order: most learners first.
 */
export type Snapshot = {
  version: number;
  courses: readonly ListedCourse[];
  bySlug: ReadonlyMap<string, ListedCourse>;
  /** Former slug to the course's slug now (P3). */
  aliases: ReadonlyMap<string, string>;
  /** The filter's options first, in their order. */
  categories: readonly Category[];
  tracks: readonly Track[];
  instructors: ReadonlyMap<string, Instructor>;
  certificationGroups: readonly CertificationGroup[];
  /** By start. */
  sessions: readonly TrainingSession[];
  combos: readonly Combo[];
  questLines: readonly QuestLine[];
  /** By code. */
  exams: ReadonlyMap<string, Exam>;
  promotion: Promotion;
  texts: Texts;
  site: Site;
};

/** The long parts of a course, read by slug. */
export type CourseDetails = {
  overview: string;
  objectives: string[];
  curriculum: { module: string; topics: string[] }[];
  prerequisites: string[];
  certification: string;
};
