import type { CourseContent } from '#app/features/content/course-schema.ts';
import { neededRecords } from '#app/features/content/needed-records.ts';
import type { Content } from '#app/features/content/schema.ts';

/** A course that passes every rule; `parts` overrides the fields that matter to the test. */
export function sampleCourse(slug: string, parts: Partial<CourseContent> = {}): CourseContent {
  return {
    slug,
    title: `Course ${slug}`,
    category: 'soc',
    tracks: ['soc'],
    level: 'Beginner',
    price: 1500,
    hours: 30,
    learners: 100,
    rating: 4.7,
    published: '2025-01-06',
    instructor: 'mara',
    description: `What one can do after ${slug}. `.repeat(8).slice(0, 160).trim(),
    overview: Array.from({ length: 90 }, (_, at) => `word${at}`).join(' '),
    objectives: ['One', 'Two', 'Three', 'Four', 'Five'],
    curriculum: Array.from({ length: 4 }, (_, at) => ({ module: `Module ${at}`, topics: ['A', 'B', 'C', 'D', 'E'] })),
    prerequisites: ['None.'],
    credential: 'A certificate of completion.',
    ...parts,
  };
}

/** A claim of the register with this id. */
const sampleClaim = (id: string): Content['claims'][number] => ({
  id,
  value: '97%',
  wording: `of ${id}`,
  source: 'academy brief, 2025',
  asOf: '2025',
});

/** A page of text. */
const samplePage = (slug: string, parts: Partial<Content['pages'][number]> = {}): Content['pages'][number] => ({
  slug,
  title: `Page ${slug}`,
  description: `What the page ${slug} says to everybody who reads it, in one sentence.`,
  body: `## About ${slug}\n\n${`The words of ${slug}. `.repeat(12).trim()}`,
  ...parts,
});

/** Small but complete content with the given courses; the first course date starts a week after asOf. */
export function sampleContent(courses: CourseContent[]): Content {
  const [first] = courses;
  return {
    site: {
      asOf: '2025-09-08',
      name: 'Academy',
      legalName: 'Academy Pty Ltd',
      abn: '89 000 000 019',
      bank: { accountName: 'Academy', bsb: '000-000', accountNumber: '000000000' },
      email: 'hello@academy.example',
      phone: '(07) 7010 0142',
      address: { street: '1 Street', city: 'Brisbane', state: 'Queensland', postcode: '4000' },
      copyrightYear: 2024,
      retention: {
        enquiryMonths: 24,
        bookingMonths: 12,
        conversationMonths: 24,
        sentMailDays: 30,
        failedMailDays: 90,
        attendeeNeedsDays: 30,
      },
      social: {},
      bookings: {
        advisers: 2,
        pause: 10,
        breaks: [{ from: '12:30', to: '13:00' }],
        lengths: { 'career-counseling': 30, 'virtual-tour': 20 },
      },
    },
    categories: [
      { slug: 'soc', name: 'SOC', icon: 'eye', filter: true },
      { slug: 'siem', name: 'SIEM', icon: 'eye' },
    ],
    tracks: [
      { slug: 'soc', name: 'SOC', icon: 'eye', description: 'Watch and triage.' },
      { slug: 'offensive', name: 'Offensive', icon: 'terminal', description: 'Attack with permission.' },
    ],
    instructors: [
      { slug: 'mara', name: 'Mara Whitlock', expertise: 'SOC', experience: '16 years', biography: 'Mara ran a SOC.' },
    ],
    certifications: [
      {
        slug: 'foundation',
        title: 'Foundation',
        description: 'First ones.',
        certifications: first
          ? [
              {
                slug: 'first',
                name: 'First',
                provider: 'Body',
                course: first.slug,
                passRate: 90,
                jobRoles: ['Analyst', 'Engineer'],
                description: 'A first certification.',
                overview: 'What it proves.',
                exam: Array.from({ length: 4 }, (_, at) => ({ label: `Label ${at}`, value: 'Value' })),
                domains: ['One', 'Two', 'Three'],
                suits: ['Beginners', 'Changers'],
              },
            ]
          : [],
      },
    ],
    courseDates: first
      ? [
          {
            slug: 'first-course-date',
            course: first.slug,
            startDate: '2025-09-15',
            endDate: '2025-09-19',
            startTime: '09:00',
            endTime: '17:00',
            zone: 'Australia/Brisbane',
            delivery: 'online',
            instructor: 'mara',
            minimum: 1,
            enrolmentEnds: '2025-09-14',
            capacity: 12,
          },
        ]
      : [],
    heroSlides: [],
    partners: [{ name: 'CompTIA' }],
    combos: [],
    questLines: [],
    exams: [],
    promotion: { subject: 'Combos', lasts: { days: 3, hours: 19, minutes: 14, seconds: 18 } },
    claims: neededRecords.claim.map(sampleClaim),
    pages: neededRecords.page.map((slug) => samplePage(slug)),
    faq: [],
    resources: [],
    holidays: [],
    synonyms: [],
    courses,
    modules: [],
  };
}
