import type { Field } from './field.ts';
import {
  choiceOf,
  date,
  fixedSlug,
  icon,
  line,
  lines,
  number,
  referencesTo,
  referenceTo,
  text,
  tick,
} from './make-fields.ts';

export const categoryFields: readonly Field[] = [
  line('name', 'Name'),
  icon,
  tick('filter', 'Shown among the first filters', 'The others are under “More categories”.'),
  fixedSlug,
];

export const trackFields: readonly Field[] = [
  line('name', 'Name'),
  icon,
  text('description', 'Description'),
  fixedSlug,
];

export const instructorFields: readonly Field[] = [
  line('name', 'Name'),
  line('expertise', 'Expertise'),
  line('experience', 'Experience', 'For example: 15+ years experience in blue teams.'),
  text('biography', 'Biography'),
  fixedSlug,
];

export const certificationGroupFields: readonly Field[] = [
  line('title', 'Title'),
  text('description', 'Description'),
  fixedSlug,
];

export const certificationFields: readonly Field[] = [
  line('name', 'Name'),
  referenceTo('certification group', 'group', 'Group'),
  line('provider', 'Provider'),
  referenceTo(
    'course',
    'course',
    'Course',
    'The course that prepares for it. Price, hours and level are those of the course.',
  ),
  number('passRate', 'Pass rate', 'Per cent.'),
  line('passRateSource', 'Source of the pass rate', 'Who gives it, and for which period.'),
  lines('jobRoles', 'Job roles', 'One a line.'),
  text('description', 'Description'),
  text('overview', 'Overview', '60 to 140 words: what it proves, who asks for it, how people earn and keep it.'),
  {
    name: 'exam',
    label: 'Facts of the outside exam',
    widget: {
      as: 'list',
      item: 'fact',
      fields: [line('label', 'What'), line('value', 'Value')],
    },
  },
  lines('domains', 'Domains of the exam', 'One a line, with weights where they are published.'),
  lines('suits', 'Who it suits', 'One a line.'),
  fixedSlug,
];

export const comboFields: readonly Field[] = [
  line('title', 'Title'),
  text('description', 'Description'),
  {
    ...referencesTo(
      'course',
      'courses',
      'Courses',
      'Only an owner can publish other courses: the price depends on them.',
    ),
    needs: 'prices:change',
  },
  {
    ...number(
      'discountPercent',
      'Discount in per cent',
      'Off the sum of the prices, while the promotion runs. Only an owner can publish another one.',
    ),
    needs: 'prices:change',
  },
  line('slug', 'Address', 'After a change, the old one still works.'),
  lines('aliases', 'Former addresses', 'One a line.'),
];

export const questLineFields: readonly Field[] = [
  line('title', 'Title', 'The role that it leads to.'),
  icon,
  text('description', 'Description'),
  text('role', 'The role', 'What people in this role do, in 40 to 110 words.'),
  {
    name: 'steps',
    label: 'Steps',
    help: 'In the order in which people take them.',
    widget: {
      as: 'list',
      item: 'step',
      fields: [referenceTo('course', 'course', 'Course'), line('reason', 'What it adds for the role')],
    },
  },
  fixedSlug,
];

export const examFields: readonly Field[] = [
  line('title', 'Title'),
  line('body', 'Body', 'Who holds the exam.'),
  choiceOf(['current', 'announced', 'retiring', 'retired'], 'status', 'Status'),
  date('on', 'Day', 'The day it opens, or the last day people can sit it.'),
  referenceTo('exam', 'replacedBy', 'Replaced by'),
  tick(
    'accreditedTraining',
    'Accredited training only',
    'The body takes only people trained by those it has accredited. The exam guarantee does not apply then.',
  ),
  date('checked', 'Last checked', 'The day a source last confirmed the status.'),
  { ...line('code', 'Code', 'As the body writes it. It stays as it is once published.'), fixed: 'once' },
];

export const synonymFields: readonly Field[] = [
  { ...line('typed', 'What people type', 'In lower case. It stays as it is once published.'), fixed: 'once' },
  lines('means', 'What it means', 'One a line. A search for it finds courses.'),
];
