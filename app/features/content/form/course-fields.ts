import { levels } from '#app/lib/levels.ts';
import type { Field } from './field.ts';

/** The fields of a course in the order of its form. */
export const courseFields: readonly Field[] = [
  { name: 'title', label: 'Title', widget: { as: 'line' } },
  {
    name: 'shortName',
    label: 'Short name',
    help: 'For lists of staff, such as CISSP.',
    widget: { as: 'line' },
  },
  { name: 'category', label: 'Category', widget: { as: 'reference', to: 'category' } },
  { name: 'level', label: 'Level', widget: { as: 'choice', of: levels } },
  { name: 'hours', label: 'Hours', widget: { as: 'number' } },
  { name: 'price', label: 'Price', help: 'AU$ with GST.', widget: { as: 'money' }, fixed: 'once' },
  {
    name: 'originalPrice',
    label: 'Original price',
    help: 'AU$ with GST. Only if it is higher than the price.',
    widget: { as: 'money' },
    fixed: 'once',
  },
  { name: 'instructor', label: 'Instructor', widget: { as: 'reference', to: 'instructor' } },
  { name: 'tracks', label: 'Tracks', widget: { as: 'references', to: 'track' } },
  {
    name: 'description',
    label: 'Description',
    help: 'What people will be able to do. Cards show it.',
    widget: { as: 'text' },
  },
  { name: 'overview', label: 'Overview', help: '80 to 160 words.', widget: { as: 'text' } },
  { name: 'objectives', label: 'Objectives', help: 'One a line.', widget: { as: 'lines' } },
  {
    name: 'curriculum',
    label: 'Curriculum',
    widget: {
      as: 'list',
      item: 'module',
      fields: [
        { name: 'module', label: 'Title', widget: { as: 'line' } },
        { name: 'topics', label: 'Topics', help: 'One a line.', widget: { as: 'lines' } },
      ],
    },
  },
  { name: 'prerequisites', label: 'Prerequisites', help: 'One a line.', widget: { as: 'lines' } },
  {
    name: 'needs',
    label: 'Courses people need first',
    help: 'They teach what this course builds on.',
    widget: { as: 'references', to: 'course' },
  },
  { name: 'leadsTo', label: 'Courses that follow', widget: { as: 'references', to: 'course' } },
  {
    name: 'exams',
    label: 'Exams',
    help: 'The outside exams that the course prepares for.',
    widget: { as: 'references', to: 'exam' },
  },
  {
    name: 'guided',
    label: 'Guided study',
    help: 'People can take the course in their own time, with a live hour each week.',
    widget: { as: 'tick' },
  },
  {
    name: 'credential',
    label: 'What people receive',
    help: 'What the academy issues, and what the outside exam is.',
    widget: { as: 'text' },
  },
  {
    name: 'completion',
    label: 'Completion',
    widget: {
      as: 'group',
      fields: [
        {
          name: 'attendance',
          label: 'Least attendance in per cent',
          help: 'Of the minutes taught. Left empty, it is 80.',
          widget: { as: 'number' },
        },
      ],
    },
  },
  { name: 'learners', label: 'Learners', help: 'How many people took the course.', widget: { as: 'number' } },
  { name: 'rating', label: 'Rating', help: '4.6 to 5, with one decimal.', widget: { as: 'number' } },
  { name: 'published', label: 'First offered', widget: { as: 'date' } },
  {
    name: 'facts',
    label: 'Words that will not stay true',
    widget: {
      as: 'list',
      item: 'text',
      fields: [
        { name: 'text', label: 'Words', help: 'Exactly as in the texts above.', widget: { as: 'line' } },
        { name: 'until', label: 'True until', widget: { as: 'date' } },
      ],
    },
  },
  {
    name: 'slug',
    label: 'Address',
    help: 'The last part of /course/… . After a change, the old address leads to the new one.',
    widget: { as: 'line' },
  },
  {
    name: 'aliases',
    label: 'Former addresses',
    help: 'One a line. They lead to the present one.',
    widget: { as: 'lines' },
  },
];

/** The fields of a module for guided study. */
export const moduleFields: readonly Field[] = [
  { name: 'course', label: 'Course', widget: { as: 'reference', to: 'course' }, fixed: 'once' },
  { name: 'number', label: 'Number', help: 'As in the curriculum.', widget: { as: 'number' }, fixed: 'once' },
  { name: 'title', label: 'Title', widget: { as: 'line' } },
  {
    name: 'body',
    label: 'Text',
    help: 'Markdown. The headings “## Reading” and “## Exercise”, in this order.',
    widget: { as: 'markdown' },
  },
];
