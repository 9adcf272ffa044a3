import type { BrochureProps } from '#app/documents/course-brochure.tsx';

export const brochure: BrochureProps = {
  academy: { name: 'Bowerbird Academy', address: '1 Street, Brisbane', email: 'hello@academy.example', phone: '1' },
  title: 'Security operations',
  category: 'Security',
  description: 'What a security team does.',
  facts: [['Duration', '40 hours']],
  overview: 'Five days.',
  dates: [{ days: '15 to 19 September 2025', detail: 'Online' }],
  objectives: ['Find what happened', 'Write it down'],
  curriculum: [{ module: 'First', topics: ['One', 'Two'] }],
  instructor: { name: 'Trần 李明', about: 'Teacher', biography: 'Has taught.' },
  prerequisites: ['None'],
  credential: 'None.',
  address: 'https://academy.example/course/security-operations',
  asOf: '2025-09-08',
};
/** A drawing of a course, 16 by 9. */
export const art = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"><path d="M0 0h16v9H0z"/></svg>';
