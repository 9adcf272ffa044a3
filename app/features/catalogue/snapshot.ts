import type { Cents } from '../../lib/money.ts';
import type { Level, Tier } from './rules.ts';

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
  instructorSlug: string;
  publishedOn: string;
  searchText: string;
  revision: number;
};

type Category = { slug: string; name: string; treasure: string; inFilter: boolean };
type Track = { slug: string; name: string; treasure: string; description: string };
export type Instructor = { slug: string; name: string; expertise: string; experience: string; biography: string };
type Certification = { slug: string; name: string; provider: string; courseSlug: string };

/** Facts of the academy that stand on every page. */
export type Site = {
  name: string;
  email: string;
  phone: string;
  city: string;
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
  certifications: readonly Certification[];
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
