import { levels } from '#app/lib/levels.ts';
import type { Field } from './field.ts';
import {
  choiceOf,
  date,
  line,
  lines,
  markdown,
  money,
  number,
  referencesTo,
  referenceTo,
  text,
  tick,
} from './make-fields.ts';

/** The fields of a course in the order of its form. */
export const courseFields: readonly Field[] = [
  { ...line('title', 'Title'), part: 'What it is' },
  line('shortName', 'Short name', 'For lists of staff, such as CISSP.'),
  referenceTo('category', 'category', 'Category'),
  referenceTo('instructor', 'instructor', 'Instructor'),
  choiceOf(levels, 'level', 'Level'),
  number('hours', 'Hours'),
  tick('guided', 'Guided study', 'People can take the course in their own time.'),
  text('description', 'Description', 'What people will be able to do, in 140 to 220 characters. Cards show it.'),
  text('overview', 'Overview', '80 to 160 words.'),
  lines('objectives', 'Objectives', 'One a line, five to eight.'),
  {
    name: 'curriculum',
    label: 'Modules',
    help: 'Four to eight, with three to seven topics each.',
    part: 'Curriculum',
    widget: {
      as: 'list',
      item: 'module',
      fields: [line('module', 'Title'), { name: 'topics', label: 'Topics', widget: { as: 'texts', item: 'topic' } }],
    },
  },
  { ...lines('prerequisites', 'Prerequisites', 'One a line.'), part: 'Before and after' },
  referencesTo('course', 'needs', 'Courses people need first', 'They teach what this course builds on.'),
  referencesTo('course', 'leadsTo', 'Courses that follow'),
  {
    ...text(
      'credential',
      'What people receive',
      'What the academy issues and for which work, and what the outside exam is.',
    ),
    part: 'Certificate',
  },
  {
    name: 'completion',
    label: 'Completion',
    help: 'It counts for places that are sold from now on.',
    widget: {
      as: 'group',
      fields: [
        number('attendance', 'Least attendance in per cent', 'Of the minutes taught. Left empty, it is 80.'),
        tick(
          'attendanceAlone',
          'Attendance alone is enough',
          'Otherwise staff confirm the work that “What people receive” asks for before they issue a certificate.',
        ),
      ],
    },
  },
  referencesTo('exam', 'exams', 'Exams', 'The outside exams that the course prepares for.'),
  {
    ...money('price', 'Price', 'AU$ with GST. Only an owner can publish it, and changes it under Prices afterwards.'),
    part: 'Price',
    fixed: 'once',
    needs: 'prices:change',
  },
  // A price that was not charged for four weeks is no original price (P47): no new course has one.
  { ...money('originalPrice', 'Original price', 'AU$ with GST.'), fixed: 'always' },
  {
    ...referencesTo(
      'track',
      'tracks',
      'Tracks',
      'Visitors filter by them. What people type for a course is under Synonyms.',
    ),
    part: 'Found by',
  },
  line('slug', 'Address', 'The last part of /course/… . After a change, the old address leads to the new one.'),
  lines('aliases', 'Former addresses', 'One a line. They lead to the present one.'),
  {
    ...number('learners', 'Learners', 'How many people took the course. Left empty for a new course, it is 0.'),
    part: 'Figures',
  },
  number('rating', 'Rating', '4.6 to 5, with one decimal. Left empty, pages say that nobody has rated the course yet.'),
  date('published', 'First offered', 'Left empty for a new course, it is the day on which we publish it.'),
  {
    name: 'facts',
    label: 'Words that will not stay true',
    widget: {
      as: 'list',
      item: 'text',
      fields: [line('text', 'Words', 'Exactly as in the texts above.'), date('until', 'True until')],
    },
  },
];

/** The fields of a module for guided study. */
export const moduleFields: readonly Field[] = [
  { ...referenceTo('course', 'course', 'Course'), fixed: 'once' },
  { ...number('number', 'Number', 'As in the curriculum.'), fixed: 'once' },
  line('title', 'Title'),
  markdown('body', 'Text', 'Markdown. The headings “## Reading” and “## Exercise”, in this order.'),
];
