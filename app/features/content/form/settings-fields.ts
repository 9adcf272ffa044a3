import type { Field } from './field.ts';
import { line, lines, number, text, tick, time } from './make-fields.ts';

const taking = (name: string, label: string): Field => ({
  name,
  label,
  widget: {
    as: 'group',
    fields: [text('joining', 'How people join'), lines('bring', 'What to bring', 'One a line.')],
  },
});

/** Money, the law and where mail goes depend on it. Owners are told of each change. */
const owners = (field: Field): Field => ({
  ...field,
  help: 'Only an owner can publish another one.',
  needs: 'settings:change',
});

export const settingsFields: readonly Field[] = [
  owners({ ...line('name', 'Name of the academy'), part: 'Who we are' }),
  owners(line('legalName', 'Legal name')),
  owners(line('abn', 'ABN')),
  owners(line('email', 'Email')),
  owners(line('phone', 'Phone')),
  owners({
    name: 'address',
    label: 'Address',
    part: 'Address and bank',
    widget: {
      as: 'group',
      fields: [line('street', 'Street'), line('city', 'City'), line('state', 'State'), line('postcode', 'Postcode')],
    },
  }),
  {
    name: 'bank',
    label: 'Bank account',
    help: 'Tax invoices name it. Only an owner can publish another one.',
    needs: 'settings:change',
    widget: {
      as: 'group',
      fields: [
        line('accountName', 'Account name'),
        line('bsb', 'BSB', 'Such as 064-000.'),
        line('accountNumber', 'Account number'),
      ],
    },
  },
  { ...number('copyrightYear', 'Copyright year'), part: 'Foot of the page' },
  {
    name: 'social',
    label: 'Social media',
    help: 'One without an address is not shown. Only an owner can publish another one.',
    needs: 'settings:change',
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
  owners({
    name: 'bookings',
    label: 'Bookings',
    part: 'Talks and tours',
    widget: {
      as: 'group',
      fields: [
        number('advisers', 'Bookings at the same time'),
        number('pause', 'Minutes between bookings'),
        {
          name: 'breaks',
          label: 'Times without bookings',
          help: 'On every day, Brisbane time.',
          widget: {
            as: 'list',
            item: 'break',
            fields: [time('from', 'From'), time('to', 'To')],
          },
        },
        {
          name: 'lengths',
          label: 'Minutes that a booking lasts',
          widget: {
            as: 'group',
            fields: [number('career-counseling', 'Career counselling'), number('virtual-tour', 'Virtual tour')],
          },
        },
      ],
    },
  }),
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
    help: '/privacy states the same. Change both. Only an owner can publish other times.',
    needs: 'settings:change',
    widget: {
      as: 'group',
      fields: [
        number('enquiryMonths', 'Enquiries, in months'),
        number('bookingMonths', 'Bookings, in months'),
        number('conversationMonths', 'Conversations, in months'),
        number('sentMailDays', 'Emails that were sent, in days'),
        number('failedMailDays', 'Emails that could not be sent, in days'),
        number('attendeeNeedsDays', 'What attendees need, in days after their last course'),
      ],
    },
  },
  {
    ...tick('hideUnprovedPrices', 'Hide original prices without proof', 'Only an owner can publish this.'),
    part: 'Opening',
    needs: 'settings:change',
  },
  {
    name: 'settled',
    label: 'Settled before opening',
    help: 'By the names that the list of open points has.',
    widget: {
      as: 'list',
      item: 'point',
      fields: [line('what', 'What'), line('by', 'What shows it')],
    },
  },
];
