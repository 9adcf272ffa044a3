import { expect, test } from 'vitest';
import { courseArt } from '#app/ui/course-art.ts';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { courseDrawing, instructorIcon } from './drawings.ts';

const tracks = [
  { slug: 'ai', name: 'AI', icon: 'chip', description: '' },
  { slug: 'soc', name: 'SOC', icon: 'eye', description: '' },
];

test('a course’s drawing follows its category, tracks, level and hours', () => {
  const short = listedCourse(1, { level: 'Beginner', hours: 24, tracks: ['soc', 'ai'] });
  const long = listedCourse(1, { level: 'Expert', hours: 220 });
  expect(courseDrawing(short, { tracks })).toMatchObject({ icon: 'eye', beside: ['chip'], gems: 1, straws: 8 });
  expect(courseDrawing(long, { tracks })).toMatchObject({ icon: 'eye', beside: [], gems: 4, straws: 22 });
});

test('the same course is drawn the same, another one of the same facts otherwise', () => {
  const draw = (at: number) => courseArt(courseDrawing(listedCourse(at), { tracks }));
  expect(draw(1)).toBe(draw(1));
  expect(new Set(Array.from({ length: 50 }, (_, at) => draw(at))).size).toBe(50);
});

test('on every ground the main treasure stands out by 7 to 1 or more, and its light by 3 to 1', () => {
  for (let at = 0; at < 300; at += 1) {
    for (const icon of ['chip', 'compass', 'shield', 'crown'] as const) {
      const svg = courseArt({ seed: `course-${at}`, icon, beside: [], gems: 1, gemColour: '#c98b57', straws: 9 });
      const [, ground = ''] = /<path fill="(#[0-9a-f]{6})" d="M0 0h400/.exec(svg) ?? [];
      const [, light = ''] = /stop-color="(#[0-9a-f]{6})"/.exec(svg) ?? [];
      expect(contrast('#f7f3e6', ground), `${icon} ${at}`).toBeGreaterThanOrEqual(7);
      expect(contrast(light, ground), `${icon} ${at}`).toBeGreaterThanOrEqual(3);
    }
  }
});

test('an instructor’s treasure is the one most of their courses have', () => {
  const courses = [listedCourse(1), listedCourse(2), listedCourse(3)];
  const cards = courses.map((course, at) => ({
    ...course,
    card: { ...course.card, icon: at === 0 ? 'cloud' : 'key' },
  }));
  expect(instructorIcon('mara', { courses: cards })).toBe('key');
  expect(instructorIcon('nobody', { courses: cards })).toBe('compass');
});

/** The contrast of two colours as WCAG 2.2 reckons it, 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
