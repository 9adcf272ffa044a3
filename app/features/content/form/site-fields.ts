import { comparisons } from '#app/features/content/site-schemas.ts';
import { iconNames } from '#app/ui/icons.ts';
import type { Field } from './field.ts';

const fixedSlug: Field = {
  name: 'slug',
  label: 'Address',
  help: 'Lower-case words joined by hyphens. It stays as it is once published.',
  widget: { as: 'line' },
  fixed: 'once',
};
const count = (name: string, label: string, help?: string): Field => ({
  name,
  label,
  ...(help && { help }),
  widget: { as: 'number' },
});
const line = (name: string, label: string, help?: string): Field => ({
  name,
  label,
  ...(help && { help }),
  widget: { as: 'line' },
});

export const promotionFields: readonly Field[] = [
  line('subject', 'Subject', 'The banner says “up to 30% off on …”.'),
  {
    name: 'lasts',
    label: 'How long it lasts',
    help: 'Counted from the first import. The end of a promotion is never moved.',
    widget: {
      as: 'group',
      fields: [
        count('days', 'Days'),
        count('hours', 'Hours'),
        count('minutes', 'Minutes'),
        count('seconds', 'Seconds'),
      ],
    },
    fixed: 'always',
  },
];

export const heroSlideFields: readonly Field[] = [
  {
    name: 'title',
    label: 'Title',
    help: 'It stays as it is once published.',
    widget: { as: 'line' },
    fixed: 'once',
  },
  {
    name: 'course',
    label: 'Course',
    help: 'The slide shows its instructor.',
    widget: { as: 'reference', to: 'course' },
  },
  line('subtitle', 'Subtitle'),
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  { name: 'buttonText', label: 'Button', widget: { as: 'choice', of: ['Enroll Now', 'Know More'] } },
  { name: 'icon', label: 'Icon', widget: { as: 'choice', of: iconNames } },
  line('emoji', 'Emoji', 'In the label of the icon.'),
  line('badge', 'Badge'),
];

export const partnerFields: readonly Field[] = [
  { ...line('name', 'Name', 'It stays as it is once published.'), fixed: 'once' },
  line('proof', 'Proof', 'The agreement or letter by which we may call it authorised.'),
  { name: 'meaning', label: 'What “authorised” means', help: 'A sentence for /claims.', widget: { as: 'text' } },
];

export const claimFields: readonly Field[] = [
  line('value', 'Figure'),
  line('wording', 'Words'),
  line('source', 'Source'),
  line('asOf', 'As of', 'A year, a month such as 2026-11, or a day such as 2026-11-22.'),
  line('proof', 'Proof', 'Which record of the academy shows it.'),
  {
    name: 'compare',
    label: 'Compared with',
    help: 'The count of our own records that is shown beside it.',
    widget: { as: 'choice', of: comparisons },
  },
  {
    name: 'beside',
    label: 'Other figures for the same',
    widget: { as: 'references', to: 'claim' },
  },
  line('ownRecords', 'What our records say otherwise', 'Where it cannot be counted.'),
  { ...line('id', 'Id', 'It stays as it is once published.'), fixed: 'once' },
];

export const pageFields: readonly Field[] = [
  line('title', 'Title'),
  { name: 'description', label: 'Description', help: 'For search engines.', widget: { as: 'text' } },
  {
    name: 'body',
    label: 'Text',
    help: 'Markdown, with headings from ##. {{abn}} and the like are facts from the settings.',
    widget: { as: 'markdown' },
  },
  {
    name: 'inForceFrom',
    label: 'In force from',
    help: 'A changed text of terms or privacy needs a new day. The text before stays readable.',
    widget: { as: 'date' },
  },
  {
    name: 'earlier',
    label: 'Earlier texts',
    widget: {
      as: 'list',
      item: 'text',
      fields: [
        { name: 'inForceFrom', label: 'In force from', widget: { as: 'date' } },
        { name: 'body', label: 'Text', widget: { as: 'markdown' } },
      ],
    },
    fixed: 'always',
  },
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
      fields: [
        { name: 'question', label: 'Question', widget: { as: 'line' } },
        { name: 'answer', label: 'Answer', help: 'Markdown.', widget: { as: 'markdown' } },
      ],
    },
  },
  fixedSlug,
];

export const resourceFields: readonly Field[] = [
  line('title', 'Title'),
  { name: 'kind', label: 'Kind', widget: { as: 'choice', of: ['Study guide', 'Cheat sheet', 'Checklist'] } },
  { name: 'description', label: 'Description', widget: { as: 'text' } },
  count('minutes', 'Minutes to read'),
  {
    name: 'course',
    label: 'Course',
    help: 'The course that goes on from here.',
    widget: { as: 'reference', to: 'course' },
  },
  { name: 'body', label: 'Text', help: 'Markdown, with headings from ##.', widget: { as: 'markdown' } },
  fixedSlug,
];

export const holidayFields: readonly Field[] = [
  line('name', 'Name'),
  { name: 'states', label: 'States', widget: { as: 'choices', of: ['QLD', 'NSW', 'VIC'] } },
  { name: 'days', label: 'Days', help: 'One a line, such as 2027-01-26.', widget: { as: 'lines' } },
  line('rule', 'How its days are found', 'And what is left out.'),
  line('source', 'Source', 'The Act or order that makes it a holiday.'),
  fixedSlug,
];

const taking = (name: string, label: string): Field => ({
  name,
  label,
  widget: {
    as: 'group',
    fields: [
      { name: 'joining', label: 'How people join', widget: { as: 'text' } },
      { name: 'bring', label: 'What to bring', help: 'One a line.', widget: { as: 'lines' } },
    ],
  },
});

export const siteFields: readonly Field[] = [
  { ...line('name', 'Name of the academy'), part: 'Who we are' },
  line('legalName', 'Legal name'),
  line('abn', 'ABN'),
  line('email', 'Email'),
  line('phone', 'Phone'),
  {
    name: 'address',
    label: 'Address',
    part: 'Address and bank',
    widget: {
      as: 'group',
      fields: [line('street', 'Street'), line('city', 'City'), line('state', 'State'), line('postcode', 'Postcode')],
    },
  },
  {
    name: 'bank',
    label: 'Bank account',
    help: 'Tax invoices name it.',
    widget: {
      as: 'group',
      fields: [
        line('accountName', 'Account name'),
        line('bsb', 'BSB', 'Such as 064-000.'),
        line('accountNumber', 'Account number'),
      ],
    },
  },
  { ...count('copyrightYear', 'Copyright year'), part: 'Foot of the page' },
  {
    name: 'social',
    label: 'Social media',
    help: 'One without an address is not shown.',
    widget: {
      as: 'group',
      fields: [
        line('linkedin', 'LinkedIn'),
        line('youtube', 'YouTube'),
        line('facebook', 'Facebook'),
        line('instagram', 'Instagram'),
        line('x', 'X'),
      ],
    },
  },
  {
    name: 'bookings',
    label: 'Bookings',
    part: 'Talks and tours',
    widget: {
      as: 'group',
      fields: [
        count('advisers', 'Bookings at the same time'),
        count('pause', 'Minutes between bookings'),
        {
          name: 'breaks',
          label: 'Times without bookings',
          help: 'On every day, Brisbane time.',
          widget: {
            as: 'list',
            item: 'break',
            fields: [
              { name: 'from', label: 'From', widget: { as: 'time' } },
              { name: 'to', label: 'To', widget: { as: 'time' } },
            ],
          },
        },
        {
          name: 'lengths',
          label: 'Minutes that a booking lasts',
          widget: {
            as: 'group',
            fields: [count('career-counseling', 'Career counselling'), count('virtual-tour', 'Virtual tour')],
          },
        },
      ],
    },
  },
  {
    name: 'attending',
    label: 'Taking part',
    part: 'Course dates',
    help: 'Shown on the pages of course dates and in their emails.',
    widget: { as: 'group', fields: [taking('online', 'Online'), taking('room', 'In the room')] },
  },
  {
    name: 'retention',
    label: 'How long personal data is kept',
    part: 'Personal data',
    help: '/privacy states the same. Change both.',
    widget: {
      as: 'group',
      fields: [
        count('enquiryMonths', 'Enquiries, in months'),
        count('bookingMonths', 'Bookings, in months'),
        count('conversationMonths', 'Conversations, in months'),
        count('sentMailDays', 'Emails that were sent, in days'),
        count('failedMailDays', 'Emails that could not be sent, in days'),
        count('attendeeNeedsDays', 'What attendees need, in days after their last course'),
      ],
    },
  },
  {
    name: 'settled',
    label: 'Settled before opening',
    part: 'Opening',
    help: 'By the names that the list of open points has.',
    widget: {
      as: 'list',
      item: 'point',
      fields: [line('what', 'What'), line('by', 'What shows it')],
    },
  },
  {
    name: 'asOf',
    label: 'The files are written as of',
    widget: { as: 'date' },
    fixed: 'always',
  },
];
