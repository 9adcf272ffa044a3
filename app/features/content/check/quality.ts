import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { RecordedContent } from '#app/features/content/records.ts';
import type { CrossFault } from '#app/features/content/schema.ts';
import { type Level, levels } from '#app/lib/levels.ts';
import { centsFromDollars } from '#app/lib/money.ts';
import { hotAbove } from '#app/lib/popularity.ts';

/**
 * The academy's own standard for its catalogue, beyond the rules of the schemas. Prices and
 * durations are the specification's (section 9): AU$ with GST, and hours.
 */
const standard = {
  courses: 150,
  perFilterCategory: 5,
  perCategory: 2,
  perTrack: 8,
  questLines: 12,
  /** Shares of the catalogue, lowest and highest. */
  levelShares: {
    Beginner: [0.2, 0.4],
    Intermediate: [0.3, 0.5],
    Advanced: [0.15, 0.35],
    Expert: [0.03, 0.12],
  } satisfies Record<Level, [number, number]>,
  /** The largest share of courses that may be HOT (P5). */
  hotShare: 0.05,
  price: [1599, 8999],
  /** A first course of the shortest duration may cost less than the main set. */
  starter: { price: 1299, hours: 24 },
  hours: [24, 120],
  jobGuarantee: { price: [8999, 18_900], hours: [180, 220] },
  originalPercentAbove: [10, 30],
  topics: 18,
  /** The most hours that one topic of the curriculum can fill; job guarantee programmes hold mentoring as well. */
  hoursPerTopic: 3,
  jobGuaranteeHoursPerTopic: 5,
} as const;

/** Faults of a sound catalogue against the academy's own standard. */
export function qualityFaults(content: RecordedContent): CrossFault[] {
  return [
    ...tooFew(content),
    ...unevenLevels(content.courses),
    ...content.courses.flatMap((course, index) =>
      courseFaults(course).map(([path, message]): CrossFault => ({ file: { course: index }, path: [path], message })),
    ),
    ...descriptionsThatStartAlike(content.courses),
    ...coursesOffEveryPath(content.courses),
  ];
}

/** How many courses each category, track and level has, in the content's order. */
export function catalogueCounts({ categories, tracks, courses }: RecordedContent) {
  const count = (matches: (course: CourseContent) => boolean) => courses.filter(matches).length;
  return {
    categories: categories.map(({ slug }) => [slug, count((course) => course.category === slug)] as const),
    tracks: tracks.map(({ slug }) => [slug, count((course) => course.tracks.includes(slug))] as const),
    levels: levels.map((level) => [level, count((course) => course.level === level)] as const),
  };
}

function tooFew(content: RecordedContent): CrossFault[] {
  const counts = catalogueCounts(content);
  const faults: CrossFault[] = [];
  const ask = (
    name: 'site' | 'categories' | 'tracks' | 'questLines',
    path: PropertyKey[],
    what: string,
    has: number,
  ) => {
    return (wanted: number) => {
      if (has < wanted) faults.push({ file: { name }, path, message: `${what}: ${has}, of at least ${wanted}` });
    };
  };
  ask('site', [], 'courses', content.courses.length)(standard.courses);
  ask('questLines', [], 'quest lines', content.questLines.length)(standard.questLines);
  counts.categories.forEach(([slug, has], at) => {
    const wanted = content.categories[at]?.filter ? standard.perFilterCategory : standard.perCategory;
    ask('categories', [at, 'slug'], `courses in category "${slug}"`, has)(wanted);
  });
  counts.tracks.forEach(([slug, has], at) => {
    ask('tracks', [at, 'slug'], `courses in track "${slug}"`, has)(standard.perTrack);
  });
  return faults;
}

function unevenLevels(courses: CourseContent[]): CrossFault[] {
  const faults: CrossFault[] = [];
  const share = (part: CourseContent[]) => part.length / courses.length;
  const percent = (value: number) => `${Math.round(value * 100)}%`;
  for (const level of levels) {
    const [least, most] = standard.levelShares[level];
    const has = share(courses.filter((course) => course.level === level));
    if (has < least || has > most) {
      const message = `${percent(has)} of the courses are ${level}, not ${percent(least)} to ${percent(most)}`;
      faults.push({ file: { name: 'site' }, path: [], message });
    }
  }
  const hot = share(courses.filter(({ learners }) => learners > hotAbove));
  if (hot > standard.hotShare) {
    const message = `${percent(hot)} of the courses are HOT, more than ${percent(standard.hotShare)}`;
    faults.push({ file: { name: 'site' }, path: [], message });
  }
  return faults;
}

function courseFaults(course: CourseContent): [keyof CourseContent, string][] {
  const faults: [keyof CourseContent, string][] = [];
  const within = (field: keyof CourseContent, value: number, [least, most]: readonly [number, number]) => {
    if (value < least || value > most) faults.push([field, `${value} is not within ${least} to ${most}`]);
  };
  const guaranteed = course.category === 'job-guarantee';
  const starter = course.level === 'Beginner' && course.hours === standard.starter.hours;
  if (guaranteed) within('price', course.price, standard.jobGuarantee.price);
  else within('price', course.price, [starter ? standard.starter.price : standard.price[0], standard.price[1]]);
  within('hours', course.hours, guaranteed ? standard.jobGuarantee.hours : standard.hours);

  if (course.originalPrice !== undefined) {
    // In cents, since 30% of a price is not exact in dollars.
    const [price, original] = [centsFromDollars(course.price), centsFromDollars(course.originalPrice)];
    const [least, most] = standard.originalPercentAbove;
    if (original * 100 < price * (100 + least) || original * 100 > price * (100 + most)) {
      const percent = Math.round((original / price - 1) * 100);
      faults.push(['originalPrice', `is ${percent}% above the price, not ${least} to ${most}%`]);
    }
  }

  const topics = course.curriculum.reduce((sum, module) => sum + module.topics.length, 0);
  const perTopic = guaranteed ? standard.jobGuaranteeHoursPerTopic : standard.hoursPerTopic;
  const wanted = Math.max(standard.topics, Math.ceil(course.hours / perTopic));
  if (topics < wanted) {
    faults.push(['curriculum', `${topics} topics are too few for ${course.hours} hours: ${wanted} or more`]);
  }
  const mayEnd = course.level === 'Advanced' || course.level === 'Expert' || guaranteed;
  if (!mayEnd && !course.leadsTo) {
    faults.push(['level', `a path may not end at ${course.level}: name in "leadsTo" what follows`]);
  }
  return faults;
}

function descriptionsThatStartAlike(courses: CourseContent[]): CrossFault[] {
  const owners = new Map<string, string>();
  return courses.flatMap(({ slug, description }, index): CrossFault[] => {
    const start = description.toLowerCase().split(/\s+/).slice(0, 2).join(' ');
    const owner = owners.get(start);
    if (owner) {
      const message = `starts with "${start}", like that of ${owner}`;
      return [{ file: { course: index }, path: ['description'], message }];
    }
    owners.set(start, slug);
    return [];
  });
}

/** Courses that are not for beginners, to which no course leads, and which name no course that they need. */
function coursesOffEveryPath(courses: CourseContent[]): CrossFault[] {
  const ledTo = new Set(courses.flatMap(({ leadsTo = [] }) => leadsTo));
  return courses.flatMap(({ slug, level, needs }, index): CrossFault[] => {
    if (level === 'Beginner' || needs || ledTo.has(slug)) return [];
    const message = `no path leads to this ${level} course: name it in the "leadsTo" of another, or what it needs here`;
    return [{ file: { course: index }, path: ['level'], message }];
  });
}
