import { iconNames } from '#app/ui/icons.ts';
import type { Field } from './field.ts';

/** The address of a record that keeps it for good. */
const fixedSlug: Field = {
  name: 'slug',
  label: 'Address',
  help: 'Lower-case words joined by hyphens. It stays as it is once published.',
  widget: { as: 'line' },
  fixed: 'once',
};
const icon: Field = { name: 'icon', label: 'Icon', widget: { as: 'choice', of: iconNames } };

export const categoryFields: readonly Field[] = [
  { name: 'name', label: 'Name', widget: { as: 'line' } },
  icon,
  {
    name: 'filter',
    label: 'Shown among the first filters',
    help: 'The others are under “More categories”.',
    widget: { as: 'tick' },
  },
  fixedSlug,
];

export const trackFields: readonly Field[] = [
  { name: 'name', label: 'Name', widget: { as: 'line' } },
  icon,
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  fixedSlug,
];

export const instructorFields: readonly Field[] = [
  { name: 'name', label: 'Name', widget: { as: 'line' } },
  { name: 'expertise', label: 'Expertise', widget: { as: 'line' } },
  {
    name: 'experience',
    label: 'Experience',
    help: 'For example: 15+ years experience in blue teams.',
    widget: { as: 'line' },
  },
  { name: 'biography', label: 'Biography', widget: { as: 'text' } },
  fixedSlug,
];

export const certificationGroupFields: readonly Field[] = [
  { name: 'title', label: 'Title', widget: { as: 'line' } },
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  fixedSlug,
];

export const certificationFields: readonly Field[] = [
  { name: 'name', label: 'Name', widget: { as: 'line' } },
  { name: 'group', label: 'Group', widget: { as: 'reference', to: 'certification group' } },
  { name: 'provider', label: 'Provider', widget: { as: 'line' } },
  {
    name: 'course',
    label: 'Course',
    help: 'The course that prepares for it. Price, hours and level are those of the course.',
    widget: { as: 'reference', to: 'course' },
  },
  { name: 'passRate', label: 'Pass rate', help: 'Per cent.', widget: { as: 'number' } },
  {
    name: 'passRateSource',
    label: 'Source of the pass rate',
    help: 'Who gives it, and for which period.',
    widget: { as: 'line' },
  },
  { name: 'jobRoles', label: 'Job roles', help: 'One a line.', widget: { as: 'lines' } },
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  {
    name: 'overview',
    label: 'Overview',
    help: '60 to 140 words: what it proves, who asks for it, how people earn and keep it.',
    widget: { as: 'text' },
  },
  {
    name: 'exam',
    label: 'Facts of the outside exam',
    widget: {
      as: 'list',
      item: 'fact',
      fields: [
        { name: 'label', label: 'What', widget: { as: 'line' } },
        { name: 'value', label: 'Value', widget: { as: 'line' } },
      ],
    },
  },
  {
    name: 'domains',
    label: 'Domains of the exam',
    help: 'One a line, with weights where they are published.',
    widget: { as: 'lines' },
  },
  { name: 'suits', label: 'Who it suits', help: 'One a line.', widget: { as: 'lines' } },
  fixedSlug,
];

export const comboFields: readonly Field[] = [
  { name: 'title', label: 'Title', widget: { as: 'line' } },
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  { name: 'courses', label: 'Courses', widget: { as: 'references', to: 'course' } },
  {
    name: 'discountPercent',
    label: 'Discount in per cent',
    help: 'Off the sum of the prices, while the promotion runs.',
    widget: { as: 'number' },
  },
  { name: 'slug', label: 'Address', help: 'After a change, the old one still works.', widget: { as: 'line' } },
  { name: 'aliases', label: 'Former addresses', help: 'One a line.', widget: { as: 'lines' } },
];

export const questLineFields: readonly Field[] = [
  { name: 'title', label: 'Title', help: 'The role that it leads to.', widget: { as: 'line' } },
  icon,
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  {
    name: 'role',
    label: 'The role',
    help: 'What people in this role do, in 40 to 110 words.',
    widget: { as: 'text' },
  },
  {
    name: 'steps',
    label: 'Steps',
    help: 'In the order in which people take them.',
    widget: {
      as: 'list',
      item: 'step',
      fields: [
        { name: 'course', label: 'Course', widget: { as: 'reference', to: 'course' } },
        { name: 'reason', label: 'What it adds for the role', widget: { as: 'line' } },
      ],
    },
  },
  fixedSlug,
];

export const examFields: readonly Field[] = [
  { name: 'title', label: 'Title', widget: { as: 'line' } },
  { name: 'body', label: 'Body', help: 'Who holds the exam.', widget: { as: 'line' } },
  { name: 'status', label: 'Status', widget: { as: 'choice', of: ['current', 'announced', 'retiring', 'retired'] } },
  {
    name: 'on',
    label: 'Day',
    help: 'The day it opens, or the last day people can sit it.',
    widget: { as: 'date' },
  },
  { name: 'replacedBy', label: 'Replaced by', widget: { as: 'reference', to: 'exam' } },
  {
    name: 'accreditedTraining',
    label: 'Accredited training only',
    help: 'The body takes only people trained by those it has accredited. The exam guarantee does not apply then.',
    widget: { as: 'tick' },
  },
  {
    name: 'checked',
    label: 'Last checked',
    help: 'The day a source last confirmed the status.',
    widget: { as: 'date' },
  },
  {
    name: 'code',
    label: 'Code',
    help: 'As the body writes it. It stays as it is once published.',
    widget: { as: 'line' },
    fixed: 'once',
  },
];

export const synonymFields: readonly Field[] = [
  {
    name: 'typed',
    label: 'What people type',
    help: 'In lower case. It stays as it is once published.',
    widget: { as: 'line' },
    fixed: 'once',
  },
  {
    name: 'means',
    label: 'What it means',
    help: 'One a line. A search for it finds courses.',
    widget: { as: 'lines' },
  },
];
