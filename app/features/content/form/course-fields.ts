import { levels } from '#app/lib/levels.ts';
import type { Field } from './field.ts';

/** The fields of a course in the order of its form. */
export const courseFields: readonly Field[] = [
  { name: 'title', label: 'Title', part: 'What it is', widget: { as: 'line' } },
  {
    name: 'shortName',
    label: 'Short name',
    help: 'For lists of staff, such as CISSP.',
    widget: { as: 'line' },
  },
  { name: 'category', label: 'Category', widget: { as: 'reference', to: 'category' } },
  { name: 'instructor', label: 'Instructor', widget: { as: 'reference', to: 'instructor' } },
  { name: 'level', label: 'Level', widget: { as: 'choice', of: levels } },
  { name: 'hours', label: 'Hours', widget: { as: 'number' } },
  {
    name: 'guided',
    label: 'Guided study',
    help: 'People can take the course in their own time, with a live hour each week.',
    widget: { as: 'tick' },
  },
  {
    name: 'description',
    label: 'Description',
    help: 'What people will be able to do, in 140 to 220 characters. Cards show it.',
    widget: { as: 'text' },
  },
  { name: 'overview', label: 'Overview', help: '80 to 160 words.', widget: { as: 'text' } },
  { name: 'objectives', label: 'Objectives', help: 'One a line, five to eight.', widget: { as: 'lines' } },
  {
    name: 'curriculum',
    label: 'Modules',
    help: 'Four to eight, with three to seven topics each.',
    part: 'Curriculum',
    widget: {
      as: 'list',
      item: 'module',
      fields: [
        { name: 'module', label: 'Title', widget: { as: 'line' } },
        { name: 'topics', label: 'Topics', widget: { as: 'texts', item: 'topic' } },
      ],
    },
  },
  {
    name: 'prerequisites',
    label: 'Prerequisites',
    help: 'One a line.',
    part: 'Before and after',
    widget: { as: 'lines' },
  },
  {
    name: 'needs',
    label: 'Courses people need first',
    help: 'They teach what this course builds on.',
    widget: { as: 'references', to: 'course' },
  },
  { name: 'leadsTo', label: 'Courses that follow', widget: { as: 'references', to: 'course' } },
  {
    name: 'credential',
    label: 'What people receive',
    help: 'What the academy issues and for which work, and what the outside exam is.',
    part: 'Certificate',
    widget: { as: 'text' },
  },
  {
    name: 'completion',
    label: 'Completion',
    help: 'It counts for places that are sold from now on.',
    widget: {
      as: 'group',
      fields: [
        {
          name: 'attendance',
          label: 'Least attendance in per cent',
          help: 'Of the minutes taught. Left empty, it is 80.',
          widget: { as: 'number' },
        },
        {
          name: 'attendanceAlone',
          label: 'Attendance alone is enough',
          help: 'Otherwise staff confirm the work that “What people receive” asks for before they issue a certificate.',
          widget: { as: 'tick' },
        },
      ],
    },
  },
  {
    name: 'exams',
    label: 'Exams',
    help: 'The outside exams that the course prepares for.',
    widget: { as: 'references', to: 'exam' },
  },
  {
    name: 'price',
    label: 'Price',
    help: 'AU$ with GST.',
    part: 'Price',
    widget: { as: 'money' },
    fixed: 'once',
  },
  {
    name: 'originalPrice',
    label: 'Original price',
    help: 'AU$ with GST. Only if it is higher than the price.',
    widget: { as: 'money' },
    fixed: 'once',
  },
  {
    name: 'tracks',
    label: 'Tracks',
    help: 'Visitors filter by them. What people type for a course is under Synonyms.',
    part: 'Found by',
    widget: { as: 'references', to: 'track' },
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
  {
    name: 'learners',
    label: 'Learners',
    help: 'How many people took the course.',
    part: 'Figures',
    widget: { as: 'number' },
  },
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
