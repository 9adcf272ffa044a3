import { addDays, daysBetween } from '#app/lib/dates.ts';
import { levels } from '#app/lib/levels.ts';
import { minutesADay } from '#app/lib/taught-hours.ts';
import { firstCourseDate } from './calendar.ts';
import type { CourseContent } from './course-schema.ts';
import { missingRecords } from './needed-records.ts';
import { placeholderFaults } from './placeholders.ts';
import type { Content, ContentFileName, CrossFault, ReadableContent } from './schema.ts';

/**
 * Faults between records: names that repeat, point nowhere, are asked for in vain, or contradict P1, P3, P9, P14 or P39.
 * What refers to an unreadable file is not held against it; `courseFiles` are the files of `content.courses`.
 */
export function crossFaults(content: ReadableContent, courseFiles: string[], unreadCourses: string[]): CrossFault[] {
  return [
    ...repeatedSlugs(content, courseFiles),
    ...brokenReferences(content, unreadCourses),
    ...missingRecords(content),
    ...pathFaults(content),
    ...placeholderFaults(content),
    ...wrongDates(content),
    ...wrongPlaces(content),
  ];
}

function repeatedSlugs(content: ReadableContent, courseFiles: string[]): CrossFault[] {
  const faults: CrossFault[] = [];
  const owners = new Map<string, string>();
  content.courses.forEach((course, index) => {
    const file = courseFiles[index] ?? '';
    const names: [string, PropertyKey[]][] = [
      [course.slug, ['slug']],
      ...(course.aliases ?? []).map((alias, at): [string, PropertyKey[]] => [alias, ['aliases', at]]),
    ];
    for (const [slug, path] of names) {
      const owner = owners.get(slug);
      if (owner) faults.push({ file: { course: index }, path, message: `"${slug}" is taken by ${owner} (P3)` });
      else owners.set(slug, file);
    }
    if (!file.endsWith(`/${course.slug}.yaml`)) {
      faults.push({ file: { course: index }, path: ['slug'], message: `must be the file's name, ${course.slug}.yaml` });
    }
  });

  const lists: [ContentFileName, { slug: string; aliases?: string[] | undefined }[]][] = [
    ['categories', content.categories ?? []],
    ['tracks', content.tracks ?? []],
    ['instructors', content.instructors ?? []],
    ['courseDates', content.courseDates ?? []],
    ['claims', (content.claims ?? []).map((claim) => ({ slug: claim.id }))],
    ['certifications', content.certifications ?? []],
    ['combos', content.combos ?? []],
    ['heroSlides', (content.heroSlides ?? []).map(({ title }) => ({ slug: title }))],
    ['partners', (content.partners ?? []).map(({ name }) => ({ slug: name }))],
    ['questLines', content.questLines ?? []],
    ['exams', (content.exams ?? []).map((exam) => ({ slug: exam.code }))],
    ['pages', content.pages ?? []],
    ['faq', content.faq ?? []],
    ['resources', content.resources ?? []],
    ['holidays', content.holidays ?? []],
    ['synonyms', (content.synonyms ?? []).map(({ typed }) => ({ slug: typed }))],
  ];
  for (const [name, list] of lists) {
    const seen = new Set<string>();
    list.forEach(({ slug, aliases = [] }, at) => {
      for (const key of [slug, ...aliases]) {
        if (seen.has(key)) faults.push({ file: { name }, path: [at], message: `"${key}" is here twice (P3)` });
        seen.add(key);
      }
    });
  }
  const certifications = new Set<string>();
  content.certifications?.forEach((group, at) => {
    group.certifications.forEach(({ slug }, inner) => {
      const path = [at, 'certifications', inner, 'slug'];
      if (certifications.has(slug)) {
        faults.push({ file: { name: 'certifications' }, path, message: `"${slug}" is here twice (P3)` });
      }
      certifications.add(slug);
    });
  });
  return faults;
}

function brokenReferences(content: ReadableContent, unreadCourses: string[]): CrossFault[] {
  const faults: CrossFault[] = [];
  const slugs = (list: { slug: string }[] | undefined) => list && new Set(list.map(({ slug }) => slug));
  const known = {
    category: slugs(content.categories),
    track: slugs(content.tracks),
    instructor: slugs(content.instructors),
    course: new Set([...content.courses.map(({ slug }) => slug), ...unreadCourses]),
    exam: content.exams && new Set(content.exams.map(({ code }) => code)),
  };
  const must = (kind: keyof typeof known, slug: string, file: CrossFault['file'], path: PropertyKey[]) => {
    if (known[kind]?.has(slug) !== false) return;
    faults.push({ file, path, message: `no ${kind} has the ${kind === 'exam' ? 'code' : 'slug'} "${slug}"` });
  };
  content.courses.forEach((course, index) => {
    const file = { course: index };
    must('category', course.category, file, ['category']);
    must('instructor', course.instructor, file, ['instructor']);
    course.tracks.forEach((track, at) => {
      must('track', track, file, ['tracks', at]);
    });
    course.exams?.forEach((code, at) => {
      must('exam', code, file, ['exams', at]);
    });
    for (const relation of ['needs', 'leadsTo'] as const) {
      course[relation]?.forEach((slug, at) => {
        must('course', slug, file, [relation, at]);
      });
    }
    for (const list of ['tracks', 'exams', 'needs', 'leadsTo'] as const) {
      course[list]?.forEach((name, at, names) => {
        if (names.indexOf(name) < at) faults.push({ file, path: [list, at], message: 'is here twice' });
      });
    }
  });
  content.certifications?.forEach((group, at) => {
    group.certifications.forEach(({ course }, inner) => {
      must('course', course, { name: 'certifications' }, [at, 'certifications', inner, 'course']);
    });
  });
  content.courseDates?.forEach((courseDate, at) => {
    must('course', courseDate.course, { name: 'courseDates' }, [at, 'course']);
    must('instructor', courseDate.instructor, { name: 'courseDates' }, [at, 'instructor']);
  });
  content.combos?.forEach((combo, at) => {
    combo.courses.forEach((course, inner) => {
      must('course', course, { name: 'combos' }, [at, 'courses', inner]);
    });
  });
  content.questLines?.forEach((line, at) => {
    line.steps.forEach(({ course }, inner) => {
      must('course', course, { name: 'questLines' }, [at, 'steps', inner, 'course']);
    });
  });
  content.exams?.forEach(({ code, replacedBy }, at) => {
    const path = [at, 'replacedBy'];
    if (replacedBy) must('exam', replacedBy, { name: 'exams' }, path);
    if (replacedBy === code) faults.push({ file: { name: 'exams' }, path, message: 'is the exam itself' });
  });
  const claims = new Set(content.claims?.map(({ id }) => id));
  content.claims?.forEach(({ beside }, at) => {
    beside?.forEach((id, inner) => {
      if (claims.has(id)) return;
      faults.push({ file: { name: 'claims' }, path: [at, 'beside', inner], message: `no claim has the id "${id}"` });
    });
  });
  content.resources?.forEach((resource, at) => {
    must('course', resource.course, { name: 'resources' }, [at, 'course']);
  });
  content.heroSlides?.forEach((slide, at) => {
    must('course', slide.course, { name: 'heroSlides' }, [at, 'course']);
  });
  return faults;
}

const rank = (course: CourseContent) => levels.indexOf(course.level);

/**
 * Faults of the ways through the catalogue: a course that goes round to itself, a step down in level, and quest lines
 * whose order contradicts what their courses need. Other checks report unknown slugs.
 */
function pathFaults(content: ReadableContent): CrossFault[] {
  const courses = new Map(content.courses.map((course) => [course.slug, course]));
  return [...stepsDown(content, courses), ...roundTrips(content, courses), ...questLinesOutOfOrder(content, courses)];
}

type Courses = ReadonlyMap<string, CourseContent>;

function stepsDown({ courses: list }: ReadableContent, courses: Courses): CrossFault[] {
  return list.flatMap((course, index): CrossFault[] => {
    const file = { course: index };
    const check = (relation: 'needs' | 'leadsTo', wrong: (other: CourseContent) => boolean, message: string) =>
      (course[relation] ?? []).flatMap((slug, at): CrossFault[] => {
        const other = courses.get(slug);
        if (other && wrong(other)) return [{ file, path: [relation, at], message: `"${slug}" ${message}` }];
        return [];
      });
    return [
      ...check('needs', (other) => rank(other) > rank(course), `is of a higher level than ${course.level}`),
      ...check('leadsTo', (other) => rank(other) < rank(course), `is of a lower level than ${course.level}`),
    ];
  });
}

/** Courses that may be taken right after each course: the ones it leads to, and the ones that need it. */
function followers({ courses: list }: ReadableContent, courses: Courses): Map<string, Set<string>> {
  const next = new Map(list.map(({ slug }): [string, Set<string>] => [slug, new Set()]));
  for (const { slug, leadsTo = [], needs = [] } of list) {
    for (const other of leadsTo) if (courses.has(other)) next.get(slug)?.add(other);
    for (const other of needs) next.get(other)?.add(slug);
  }
  return next;
}

function roundTrips(content: ReadableContent, courses: Courses): CrossFault[] {
  const next = followers(content, courses);
  const faults: CrossFault[] = [];
  const done = new Set<string>();
  const walk = (slug: string, trail: string[]) => {
    const start = trail.indexOf(slug);
    if (start >= 0) {
      const round = [...trail.slice(start), slug].join(' → ');
      const index = content.courses.findIndex((course) => course.slug === slug);
      faults.push({ file: { course: index }, path: ['leadsTo'], message: `goes round in a circle: ${round}` });
      return;
    }
    if (done.has(slug)) return;
    for (const other of next.get(slug) ?? []) walk(other, [...trail, slug]);
    done.add(slug);
  };
  for (const { slug } of content.courses) walk(slug, []);
  return faults;
}

function questLinesOutOfOrder(content: ReadableContent, courses: Courses): CrossFault[] {
  const next = followers(content, courses);
  return (content.questLines ?? []).flatMap(({ steps }, line) =>
    steps.flatMap(({ course: slug }, at): CrossFault[] => {
      const fault = (message: string) => [
        { file: { name: 'questLines' } as const, path: [line, 'steps', at, 'course'], message },
      ];
      const before = steps.slice(0, at);
      if (before.some((step) => step.course === slug)) return fault(`"${slug}" is in this quest line twice`);
      const course = courses.get(slug);
      const previous = courses.get(before.at(-1)?.course ?? '');
      if (course && previous && rank(course) < rank(previous)) {
        return fault(`"${slug}" is of a lower level than the step before it`);
      }
      const later = reachedFrom(slug, next);
      const tooLate = before.find((step) => later.has(step.course));
      return tooLate ? fault(`"${slug}" comes before "${tooLate.course}" in the catalogue`) : [];
    }),
  );
}

/** Every course that comes somewhere after this one. */
function reachedFrom(slug: string, next: ReadonlyMap<string, Set<string>>): Set<string> {
  const reached = new Set<string>();
  const walk = (from: string) => {
    for (const other of next.get(from) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      walk(other);
    }
  };
  walk(slug);
  return reached;
}

function wrongDates(content: ReadableContent): CrossFault[] {
  const faults: CrossFault[] = [];
  content.courseDates?.forEach((courseDate, at) => {
    for (const { field, message } of courseDateFaults(courseDate)) {
      faults.push({ file: { name: 'courseDates' }, path: [at, field], message });
    }
  });
  return faults;
}

/** Whether the first course date of files that were written as of a day starts 7 to 13 days after it (P13). */
export function openingFaults(content: ReadableContent): CrossFault[] {
  const asOf = content.site?.asOf;
  const first = firstCourseDate(content);
  if (!asOf || !first || (daysBetween(asOf, first) >= 7 && daysBetween(asOf, first) <= 13)) return [];
  const window = `${addDays(asOf, 7)} to ${addDays(asOf, 13)}`;
  const message = `the first course date starts ${first}, not 7 to 13 days after asOf (${window}) (P13)`;
  return [{ file: { name: 'site' }, path: ['asOf'], message }];
}

/** Online course dates and those in Brisbane keep Brisbane time, the others that of their room (P14). */
const venueZones = new Map([
  ['Brisbane', 'Australia/Brisbane'],
  ['Sydney', 'Australia/Sydney'],
  ['Melbourne', 'Australia/Melbourne'],
]);
/** The cities in which rooms are. */
export const venues: readonly string[] = [...venueZones.keys()];

function wrongPlaces(content: ReadableContent): CrossFault[] {
  return (content.courseDates ?? []).flatMap((courseDate, at): CrossFault[] => {
    const fault = courseDatePlaceFault(courseDate);
    return fault ? [{ file: { name: 'courseDates' }, path: [at, fault.field], message: fault.message }] : [];
  });
}

type CourseDate = Content['courseDates'][number];
/** A fault of one field of a course date, in words that follow its name. */
export type CourseDateFault = { field: keyof CourseDate; message: string };

/** The faults in the days, times and numbers of a course date, from a file or a form. */
export function courseDateFaults(
  courseDate: Omit<CourseDate, 'slug' | 'course' | 'instructor' | 'zone'>,
): CourseDateFault[] {
  const faults: CourseDateFault[] = [];
  if (courseDate.endDate < courseDate.startDate) faults.push({ field: 'endDate', message: 'lies before startDate' });
  if (courseDate.endTime <= courseDate.startTime) {
    faults.push({ field: 'endTime', message: 'is not after startTime' });
  } else if ((courseDate.breakMinutes ?? 0) >= minutesADay(courseDate)) {
    faults.push({ field: 'breakMinutes', message: 'leaves nothing of the day' });
  }
  if (courseDate.minimum > courseDate.capacity) {
    faults.push({ field: 'minimum', message: 'is more than there are seats' });
  }
  if (courseDate.decidedBy && daysBetween(courseDate.decidedBy, courseDate.startDate) < 14) {
    faults.push({ field: 'decidedBy', message: 'is not 14 days before startDate or earlier (P39)' });
  }
  if (courseDate.enrolmentEnds > courseDate.endDate)
    faults.push({ field: 'enrolmentEnds', message: 'lies after endDate' });
  return faults;
}

/** The faults in the place of a course date and its zone. */
export function courseDatePlaceFault({
  delivery,
  venue,
  zone,
}: Pick<CourseDate, 'delivery' | 'venue'> & { zone: string }): CourseDateFault | null {
  if (delivery === 'online' && venue !== undefined) {
    return { field: 'venue', message: 'must be left out: it is online only' };
  }
  if (delivery !== 'online' && venue === undefined) return { field: 'delivery', message: 'needs a venue' };
  const wanted = zoneOfVenue(venue ?? null);
  if (wanted === undefined) return { field: 'venue', message: `must be one of ${venues.join(', ')}` };
  return zone === wanted ? null : { field: 'zone', message: `must be ${wanted} there (P14)` };
}

/**
 * The zone of a course date's times by the city of its room, null when it is online only; undefined without a room there.
 */
export function zoneOfVenue(venue: string | null): string | undefined {
  return venue === null ? 'Australia/Brisbane' : venueZones.get(venue);
}
