import { comparisons } from '#app/features/content/site-schemas.ts';
import type { Field } from './field.ts';
import {
  choiceOf,
  fixedSlug,
  icon,
  line,
  lines,
  markdown,
  number,
  referencesTo,
  referenceTo,
  text,
  tick,
} from './make-fields.ts';

export const promotionFields: readonly Field[] = [
  line(
    'subject',
    'Subject',
    'The banner says “up to 30% off on …”. This is the first promotion; who starts a later one names it there, under Prices.',
  ),
  {
    name: 'lasts',
    label: 'How long it lasts',
    help: 'Counted from the first start of the program. The end of a promotion is never moved.',
    widget: {
      as: 'group',
      fields: [
        number('days', 'Days'),
        number('hours', 'Hours'),
        number('minutes', 'Minutes'),
        number('seconds', 'Seconds'),
      ],
    },
    fixed: 'always',
  },
];

export const heroSlideFields: readonly Field[] = [
  { ...line('title', 'Title', 'It stays as it is once published.'), fixed: 'once' },
  referenceTo('course', 'course', 'Course', 'The slide shows its instructor.'),
  line('subtitle', 'Subtitle'),
  text('description', 'Description'),
  choiceOf(['Enroll Now', 'Know More'], 'buttonText', 'Button'),
  icon,
  line('emoji', 'Emoji', 'In the label of the icon.'),
  line('badge', 'Badge'),
];

const hidden: Field = {
  ...tick('hidden', 'Hide it', 'No page shows it. Only an owner can publish this.'),
  needs: 'settings:change',
};

export const partnerFields: readonly Field[] = [
  { ...line('name', 'Name', 'It stays as it is once published.'), fixed: 'once' },
  line('proof', 'Proof', 'The agreement or letter by which we may call it authorised.'),
  hidden,
  text('meaning', 'What “authorised” means', 'A sentence for /claims.'),
];

export const claimFields: readonly Field[] = [
  line('value', 'Figure'),
  line('wording', 'Words'),
  line('source', 'Source'),
  line('asOf', 'As of', 'A year, a month such as 2026-11, or a day such as 2026-11-22.'),
  line('proof', 'Proof', 'Which record of the academy shows it.'),
  hidden,
  choiceOf(comparisons, 'compare', 'Compared with', 'What our own records show about it.'),
  referencesTo('claim', 'beside', 'Other figures for the same'),
  line('ownRecords', 'What our records say otherwise', 'Where it cannot be counted.'),
  { ...line('id', 'Id', 'It stays as it is once published.'), fixed: 'once' },
];

export const pageFields: readonly Field[] = [
  line('title', 'Title'),
  text('description', 'Description', 'For search engines.'),
  markdown('body', 'Text', 'Markdown, with headings from ##. {{abn}} and the like are facts from the settings.'),
  fixedSlug,
];

export const faqFields: readonly Field[] = [
  line('title', 'Title'),
  {
    name: 'questions',
    label: 'Questions',
    widget: {
      as: 'list',
      item: 'question',
      fields: [line('question', 'Question'), markdown('answer', 'Answer', 'Markdown.')],
    },
  },
  fixedSlug,
];

export const resourceFields: readonly Field[] = [
  line('title', 'Title'),
  choiceOf(['Study guide', 'Cheat sheet', 'Checklist'], 'kind', 'Kind'),
  text('description', 'Description'),
  number('minutes', 'Minutes to read'),
  referenceTo('course', 'course', 'Course', 'The course that goes on from here.'),
  markdown('body', 'Text', 'Markdown, with headings from ##.'),
  fixedSlug,
];

export const holidayFields: readonly Field[] = [
  line('name', 'Name'),
  { name: 'states', label: 'States', widget: { as: 'choices', of: ['QLD', 'NSW', 'VIC'] } },
  lines('days', 'Days', 'One a line, such as 2027-01-26.'),
  line('rule', 'How its days are found', 'And what is left out.'),
  line('source', 'Source', 'The Act or order that makes it a holiday.'),
  fixedSlug,
];
