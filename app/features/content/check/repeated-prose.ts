import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { CrossFault } from '#app/features/content/schema.ts';

const runLength = 8;
const shortRunLength = 3;

/** Makes one word of each official name, so that two courses may both write it out, and writes it out again. */
export type Names = { shorten(text: string): string; restore(text: string): string };

export function officialNames(names: string[]): Names {
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const all = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return {
    shorten: (text) =>
      longestFirst.length === 0 ? text : text.replace(all, (name) => `officialname${longestFirst.indexOf(name)}`),
    restore: (text) => text.replace(/officialname(\d+)/g, (_, index) => longestFirst[Number(index)] ?? ''),
  };
}

/**
 * Eight words in a row that two courses share in descriptions, overviews, objectives, prerequisites or certification
 * texts. A fault names the later course and field, and the first course that has the words.
 */
export function repeatedProse(courses: CourseContent[], names: Names): CrossFault[] {
  const owners = new Map<string, string>();
  const faults: CrossFault[] = [];
  courses.forEach((course, index) => {
    const told = new Set<string>();
    for (const [path, text] of comparedTexts(course)) {
      for (const run of runsOf(names.shorten(text), runLength)) {
        const owner = owners.get(run) ?? course.slug;
        owners.set(run, owner);
        const pair = `${owner} ${path.join('.')}`;
        if (owner === course.slug || told.has(pair)) continue;
        told.add(pair);
        faults.push({ file: { course: index }, path, message: `shares with ${owner}: "${names.restore(run)}"` });
      }
    }
  });
  return faults;
}

/**
 * The two courses that are closest in wording, curriculum included: the share of their different three-word runs that
 * both have, 0 to 1.
 */
export function closestPair(courses: CourseContent[], names: Names): { slugs: [string, string]; share: number } {
  const runs = courses.map((course) => {
    const topics = course.curriculum.flatMap((module) => [module.module, ...module.topics]);
    const texts = [...comparedTexts(course).map(([, text]) => text), ...topics];
    return new Set(texts.flatMap((text) => runsOf(names.shorten(text), shortRunLength)));
  });
  const holders = new Map<string, number[]>();
  runs.forEach((own, index) => {
    for (const run of own) holders.set(run, [...(holders.get(run) ?? []), index]);
  });
  const shared = new Map<string, number>();
  for (const indexes of holders.values()) {
    indexes.forEach((a, at) => {
      for (const b of indexes.slice(at + 1)) shared.set(`${a} ${b}`, (shared.get(`${a} ${b}`) ?? 0) + 1);
    });
  }
  let closest = { slugs: ['', ''] as [string, string], share: 0 };
  for (const [pair, both] of shared) {
    const [a = 0, b = 0] = pair.split(' ').map(Number);
    const share = both / ((runs[a]?.size ?? 0) + (runs[b]?.size ?? 0) - both);
    if (share > closest.share) closest = { slugs: [courses[a]?.slug ?? '', courses[b]?.slug ?? ''], share };
  }
  return closest;
}

function comparedTexts(course: CourseContent): [PropertyKey[], string][] {
  return [
    [['description'], course.description],
    [['overview'], course.overview],
    ...course.objectives.map((text, at): [PropertyKey[], string] => [['objectives', at], text]),
    ...course.prerequisites.map((text, at): [PropertyKey[], string] => [['prerequisites', at], text]),
    [['credential'], course.credential],
  ];
}

function runsOf(text: string, length: number): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’+./-]*/gu) ?? [];
  const plain = words.map((word) => word.replace(/[^\p{L}\p{N}+]+$/u, '').replace(/’/g, "'"));
  return plain.slice(0, Math.max(0, plain.length - length + 1)).map((_, at) => plain.slice(at, at + length).join(' '));
}
