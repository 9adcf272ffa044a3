import { expect, once, test } from './fixtures.ts';

// Every literal text of the specification that the other journeys do not read already.
const texts: Record<string, string[]> = {
  '/': [
    'up to 30% off on Career Booster Combos',
    'AVAIL NOW',
    'Watch Demo',
    'Enroll Now',
    'Authorized partners',
    'Explore Courses by Category',
    'Why Choose',
    '4.8/5',
    '4.9/5',
    '485,234',
    '97%',
    '250+',
    '83,145+',
    '1 million trainees by 2030',
    'IAPP',
    'Microsoft',
    'CompTIA',
    'PECB',
    'CSA',
    'TUV SUD',
    'ISACA',
    'EC-Council',
    'Industry-Standard Curriculum',
    'Expert Instructors',
    'Recognized Certifications',
    'Flexible Learning',
    'Global Community',
    'Hands-On Labs',
    'START QUEST',
    'LOAD MORE QUESTS',
    'Clear Filters',
    'total quests',
  ],
  '/about': [
    'Mission',
    'Vision',
    'Expert Instructors',
    'Hands-On Learning',
    'Industry Recognition',
    '10,000+',
    'students trained',
    '95%',
    'job placement rate',
    '50+',
    'expert instructors',
    '24/7',
    'learning support',
    'View Courses',
    'Contact Us',
  ],
  '/certifications': [
    '50+',
    'certifications available',
    '15,000+',
    'students certified',
    '35%',
    'average salary increase',
    '92%',
    'job placement rate',
    'Start Training',
    'Learn More',
    'Start Your Journey',
    'Speak to an Advisor',
    'Pass the exam or retake the course free',
    'Exam guarantee',
  ],
  '/contact': [
    'Send Message',
    'First name',
    'Last name',
    'Email',
    'Phone',
    'Interested In',
    'Message',
    'Career Counseling',
    'Book a Session',
    'Live Chat Support',
    'Start Chat',
    'Virtual Tour',
    'Schedule Tour',
    'Explore Our Courses',
    'Mon-Fri 9:00 AM-6:00 PM',
    'Sat 10:00 AM-4:00 PM',
    'Sun closed',
    'Brisbane, Queensland 4000, Australia',
    '(07) 7010 0142',
    'hello@bowerbirdacademy.example',
  ],
  '/training-calendar': [
    'Quick Stats',
    'Upcoming Courses',
    'Available Seats',
    'This Month',
    'Enroll Now',
    'View Details',
    'AEST',
    'AEDT',
    'Request Custom Training',
    'Contact Our Team',
    '12 available',
    'Online',
    'Online/In-Person',
    'In-Person Sydney',
    'In-Person Melbourne',
    '15 to 19 September 2025',
    '12 to 16 November 2025',
    'AU$1,999',
    'AU$5,499',
  ],
  '/course/soc-analyst-hands-on': [
    'View Certificate Sample',
    'Back to Courses',
    'Cybersecurity Expert',
    'Mara Whitlock',
  ],
};

for (const [address, wanted] of Object.entries(texts)) {
  test(`the specification’s texts stand on ${address}`, async ({ page }) => {
    await page.goto(address);
    // Only what is seen counts.
    // biome-ignore lint/performance/useDomNodeTextContent: textContent would also hold what is hidden
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    for (const piece of wanted) expect(text).toContain(piece);
  });
}

test('the certifications’ cards show the specification’s table', once, async ({ page }) => {
  await page.goto('/certifications');
  const table = [
    ['Security+', 'AU$2,299', '40 hours', '94%'],
    ['Network+', 'AU$2,199', '45 hours', '92%'],
    ['Certified in Cybersecurity', 'AU$1,899', '35 hours', '89%'],
    ['CEH', 'AU$3,499', '50 hours', '87%'],
    ['CISSP', 'AU$5,499', '80 hours', '83%'],
    ['CISM', 'AU$4,799', '60 hours', '78%'],
    ['AWS Security Specialty', 'AU$3,299', '55 hours', '79%'],
    ['AZ-500', 'AU$2,999', '40 hours', '81%'],
    ['CCSP', 'AU$4,299', '50 hours', '76%'],
    ['GCIH', 'AU$3,799', '45 hours', '82%'],
    ['OSCP', 'AU$4,999', '90 hours', '65%'],
    ['CISA', 'AU$4,499', '55 hours', '80%'],
  ];
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(12);
  for (const [at, [name = '', ...facts]] of table.entries()) {
    await expect(cards.nth(at).getByRole('heading', { level: 3 })).toHaveText(name);
    for (const fact of facts) await expect(cards.nth(at)).toContainText(fact);
  }
});

test('P13: with the clock at asOf the calendar counts 8 courses, 93 seats, 3 this month', once, async ({ page }) => {
  await page.goto('/training-calendar');
  const stats = page.locator('section', { has: page.getByRole('heading', { name: 'Quick Stats' }) });
  await expect(stats.locator('dd')).toHaveText(['8', '93', '3']);
  await expect(page.getByRole('article')).toHaveCount(8);
});
