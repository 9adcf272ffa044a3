import { href } from 'react-router';
import type { Permission } from '#app/features/people/permissions.ts';

type Entry = {
  to: string;
  text: string;
  /** The permission that the page asks for; the entry is for those who have it. */
  needs: Permission;
  /** The count beside it, by its name in the frame's data, and what is counted; live where it changes by itself. */
  count?: { of: 'enquiries' | 'conversations'; what: string; live?: true };
  /** Only where card payments are set up. */
  byCard?: true;
};

/** The navigation of the pages for staff: a new page has one entry here. */
export const staffNav: readonly Entry[] = [
  { to: href('/staff/enquiries'), text: 'Inbox', needs: 'enquiries:read', count: { of: 'enquiries', what: 'new' } },
  {
    to: href('/staff/conversations'),
    text: 'Chats',
    needs: 'conversations:read',
    count: { of: 'conversations', what: 'waiting', live: true },
  },
  { to: href('/staff/bookings'), text: 'Bookings', needs: 'bookings:read' },
  { to: href('/staff/enrolments'), text: 'Enrolments', needs: 'enrolments:read' },
  { to: href('/staff/sessions'), text: 'Sessions', needs: 'sessions:read' },
  { to: href('/staff/classes'), text: 'Classes', needs: 'attendees:read' },
  { to: href('/staff/answers'), text: 'Exercises', needs: 'exercises:read' },
  { to: href('/staff/certificates'), text: 'Certificates', needs: 'certificates:read' },
  { to: href('/staff/bowers'), text: 'Bowers', needs: 'bowers:read' },
  { to: href('/staff/waiting'), text: 'Waiting', needs: 'waiting:read' },
  { to: href('/staff/payments'), text: 'Money', needs: 'money:read' },
  { to: href('/staff/card-payments'), text: 'Card payments', needs: 'money:read', byCard: true },
  { to: href('/staff/mail'), text: 'Mail', needs: 'mail:read' },
];
