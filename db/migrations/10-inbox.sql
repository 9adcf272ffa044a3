-- Conversations between visitors and staff (P20).
create table conversations (
  id bigint generated always as identity primary key,
  name text,
  -- Without one the visitor cannot be told of an answer.
  email text,
  -- The address in lower case without what is behind a plus sign: one recipient is told at most once an hour.
  mailbox text,
  -- What the page was about from which the visitor came, such as a course's title.
  about text,
  -- Waiting: the visitor wrote last, or a member of staff opened it again.
  state text not null default 'waiting' check (state in ('waiting', 'answered', 'closed')),
  state_at timestamptz not null,
  state_by bigint references people,
  created_at timestamptz not null,
  -- When anything was last written; decides on erasing.
  last_at timestamptz not null,
  -- The last message the visitor's page has shown, and when that page last asked.
  visitor_read bigint not null default 0,
  visitor_at timestamptz not null,
  -- The last answer of which the visitor was told by e-mail, and when.
  told_of bigint not null default 0,
  told_at timestamptz,
  -- When the academy was told by e-mail that the conversation waits.
  noticed_at timestamptz,
  words tsvector generated always as (words_of(name, email)) stored not null,
  person_id bigint references people
);
create index on conversations (state, last_at);
create index on conversations (last_at);
create index on conversations (lower(email));
create index on conversations (mailbox, told_at);
create index on conversations using gin (words);
create index on conversations (person_id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on conversations (state_by);

create trigger set_person before insert or update of email on conversations
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on conversations for each row execute function person_words_changed();
create trigger erase_notes after delete on conversations for each row execute function erase_notes('conversation');

-- What was written and done, in order. The conversation's row is locked before one is added, so ids are in that order.
create table conversation_messages (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references conversations on delete cascade,
  -- visitor and answer are read by both sides, note only by staff; closed and opened have no text.
  kind text not null check (kind in ('visitor', 'answer', 'note', 'closed', 'opened')),
  body text,
  -- Who of staff; null for the visitor.
  person_id bigint references people,
  -- Hash of the form's key and of what was typed: the same is stored once, however often it is sent (P25).
  form_hash text unique,
  created_at timestamptz not null,
  words tsvector generated always as (words_of(body)) stored not null,
  check ((kind in ('closed', 'opened')) = (body is null)),
  check ((kind = 'visitor') = (person_id is null))
);
create index on conversation_messages (conversation_id, id);
create index on conversation_messages using gin (words);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on conversation_messages (person_id);

create table bookings (
  id bigint generated always as identity primary key,
  -- BB- and six characters without 0, O, 1 and I.
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  kind text not null check (kind in ('career-counseling', 'virtual-tour')),
  -- Advisers are numbered from 1.
  adviser integer not null check (adviser >= 1),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- From the start to the end of the adviser's pause after the booking, as the settings were then.
  occupied tstzrange not null,
  name text not null,
  email text not null,
  -- The address in lower case without what is behind a plus sign: whom the limits count.
  mailbox text not null,
  note text,
  -- What the page was about from which the person came, such as a course's title.
  about text,
  -- True time, as all times that decide on erasing.
  created_at timestamptz not null,
  changed_at timestamptz not null,
  cancelled_at timestamptz,
  -- SEQUENCE of the calendar entry: rises with every change (RFC 5545).
  sequence integer not null default 0 check (sequence >= 0),
  -- The start of which the reminder was queued.
  reminded_of timestamptz,
  calendar_id uuid not null default gen_random_uuid(),
  person_id bigint references people,
  check (starts_at < ends_at),
  check (lower(occupied) = starts_at and lower_inc(occupied) and upper(occupied) >= ends_at
      and not upper_inc(occupied)),
  constraint one_booking_at_a_time exclude using gist (adviser with =,
      occupied with &&) where ((cancelled_at is null))
);
create index on bookings (changed_at);
create index on bookings (mailbox);
create index on bookings (starts_at, id) where cancelled_at is null;
create index on bookings (starts_at, id) where cancelled_at is not null;
create index on bookings (person_id);

create trigger issue_reference before insert on bookings for each row execute function issue_reference();
create trigger set_person before insert or update of email on bookings
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on bookings for each row execute function person_words_changed();
create trigger erase_notes after delete on bookings for each row execute function erase_notes('booking');

-- What visitors send. Staff read it with `npm run enquiries` until there is a back office.
create table enquiries (
  id bigint generated always as identity primary key,
  -- BB- and six characters without 0, O, 1 and I (P23).
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  kind text not null check (kind in ('contact', 'booking', 'tour', 'chat', 'enrolment', 'email')),
  -- One form sends one enquiry, however often it is submitted (P25).
  idempotency_key uuid not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  message text,
  marketing_consent boolean not null,
  -- What only its kind has: interest, preferred time, what is to be enrolled in.
  details jsonb not null,
  created_at timestamptz not null,
  -- Hash of what was typed, while a repeat of it is answered with this enquiry; null afterwards.
  body_hash text unique,
  -- The first enquiry of the same form. Erased together with it.
  corrects text references enquiries (reference) on delete cascade,
  -- How far staff are with an enquiry, and what they did about it.
  state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  state_at timestamptz,
  state_by bigint references people,
  -- The words staff search by.
  words tsvector generated always as (words_of(reference, first_name, last_name, email, phone, message)) stored not null,
  person_id bigint references people
);
alter table enquiries alter words set statistics 1000;
create index on enquiries (created_at);
create unique index enquiries_first_of_a_form on enquiries (idempotency_key, kind) where corrects is null;
create index on enquiries (corrects);
create index on enquiries (state, id);
create index on enquiries (kind, id);
create index on enquiries using gin (words);
-- Lists for staff, read page by page in the order of an index.
create index on enquiries (state, kind, id);
create index on enquiries (person_id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on enquiries (state_by);

create trigger issue_reference before insert on enquiries for each row execute function issue_reference();
create trigger set_person before insert or update of email on enquiries
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of first_name, last_name, email, phone, person_id
  on enquiries for each row execute function person_words_changed();
create trigger erase_notes after delete on enquiries for each row execute function erase_notes('enquiry');

-- Answers, notes and changes of state, in the order in which they were made.
create table enquiry_acts (
  id bigint generated always as identity primary key,
  enquiry_id bigint not null references enquiries on delete cascade,
  kind text not null check (kind in ('answer', 'note', 'state', 'taken-back')),
  -- What was answered or noted.
  body text,
  -- The state the enquiry was in afterwards, where the act changed it.
  state text check (state in ('new', 'answered', 'closed')),
  person_id bigint not null references people,
  created_at timestamptz not null,
  -- An answer to the last message of a conversation answers the open ones before it: which answer it was, so
  -- that taking it back opens them again.
  with_act bigint,
  -- The mail that an answer went out with. The mail is erased after some weeks; what answers it still finds its conversation.
  mail_id uuid,
  check ((kind = 'state') = (body is null)),
  check (kind <> 'state' or state is not null)
);
create index on enquiry_acts (enquiry_id, id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on enquiry_acts (person_id);
-- What an answer that is taken back answered as well.
create index on enquiry_acts (with_act) where with_act is not null;
-- Which answer a mail was, once the mail is erased.
create index on enquiry_acts (mail_id) where mail_id is not null;

-- What only an email has.
create table inbound_emails (
  enquiry_id bigint primary key references enquiries on delete cascade,
  -- As its sender's program named it.
  message_id text,
  subject text not null,
  -- The sender, where answers go to another address.
  sender text,
  -- The first message of the conversation that it continues.
  thread_of bigint references enquiries on delete set null,
  -- The email of ours that it answers and to whom that went; and what the conversation is about.
  answers_subject text,
  answers_recipient text,
  about_kind text,
  about_id bigint,
  -- A program wrote it, such as an out-of-office reply: nobody waits for an answer.
  automatic boolean not null,
  -- The addresses of those to whom it went as well.
  copies jsonb not null,
  -- Name, type and bytes of each file that came with it, in its order.
  files jsonb not null,
  -- As it came. Its files are read from here.
  source bytea not null
);
create index on inbound_emails (message_id);
create index on inbound_emails (thread_of) where thread_of is not null;
create index on inbound_emails (about_kind, about_id) where about_id is not null;
-- An email that asks for answers at another address is its sender's as well: an export has it, and erasing takes it.
create index on inbound_emails (lower(sender)) where sender is not null;

-- One row for each thing that somebody took, put off or was done with. Enquiries and chats have their own states.
create table inbox_holds (
  id bigint generated always as identity primary key,
  enquiry_id bigint unique references enquiries on delete cascade,
  conversation_id bigint unique references conversations on delete cascade,
  booking_id bigint unique references bookings on delete cascade,
  -- Null: nobody has it in hand.
  held_by bigint references people on delete set null,
  held_at timestamptz,
  -- It is back from this instant on, and at once when a visitor writes after it was put off.
  snoozed_until timestamptz,
  snoozed_at timestamptz,
  -- Of bookings only.
  done_at timestamptz,
  done_by bigint references people on delete set null,
  check (num_nonnulls(enquiry_id, conversation_id, booking_id) = 1),
  check ((snoozed_until is null) = (snoozed_at is null)),
  check (done_at is null or booking_id is not null)
);
create index on inbox_holds (held_by);
create index on inbox_holds (done_by);

-- What staff often answer. `body` has fields in braces. One that is retired is kept for whoever looks for it.
create table answer_templates (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 60),
  body text not null check (char_length(body) between 1 and 5000),
  retired_at timestamptz
);
create unique index on answer_templates (lower(name)) where retired_at is null;

-- Those that come with the program. Their facts are those of the terms, the FAQ and the help page.
insert into answer_templates (name, body) values
('Your employer pays', 'Hello {first name},

Yes, your employer can pay. While you enrol, say that an organisation pays, and give its name and ABN. There is a field for a purchase order number, and one for the email address of the accounts department. We ask that address first. Once somebody there agrees, it gets a copy of every invoice.

The tax invoice comes with the confirmation. It is due 14 days later, or two business days before the first day if that is earlier. You always have at least three business days, and nothing is due before the course date is confirmed.

The buyer and the people who attend can be different people. You can enrol now and give the names later.

You can begin here: {website}/enrol'),
('Move to another date', 'Hello {first name},

You can move a place once, free of charge, until the day before the course begins. It can go to any date of the same course that has a free seat and begins within twelve months. The price and the invoice stay as they are.

Open your enrolment with the private link in your confirmation and choose another date there. If you no longer have the link, we send it again: {website}/enrolments

If you cannot come at all, a colleague can take your place until the course begins. That is free as well and does not count as a move.'),
('What the course needs', 'Hello {first name},

The page of {course} has a part called “Prerequisites”. You can check yourself against it. Where it says “working knowledge”, you should be able to do the thing without help.

For an online class you need a computer with a current browser and a microphone, an internet connection that carries video, and a place where you can talk. A phone is too small for the exercises. In a classroom you need a laptop with its charger. Where software must be installed first, the prerequisites say so.

If you are close but unsure, tell me what you have done so far. I would sooner suggest an easier course than see you struggle.'),
('Paying in instalments', 'Hello {first name},

We have no fixed payment plans, but we can agree on instalments for your invoice. We charge nothing for this.

Please write which amounts you can pay on which days. There can be up to twelve, the last within a year, and together they make up what is owed. If we agree, we confirm the days and amounts by email and remind you three days before each. You pay by bank transfer, and the invoice itself does not change.

Without an agreement the invoice is due 14 days after we issued it, or two business days before the first day if that is earlier. You always have at least three business days, and nothing is due before the course date is confirmed.'),
('What you need to take part', 'Hello {first name},

Thank you for telling us. We want you to be able to take part fully.

Please write what would help, such as step-free access, captions or more time. Tell us at least a week before the first day, so that we have time to prepare. I will tell you what we can do before you decide.

The form to enrol has a field for this beside each person who attends, so that the instructor knows as well.

We use what you tell us only for this.'),
('Training for a group', 'Hello {first name},

There are two ways to train several people.

On one of our dates: one enrolment can have several people, and their names can follow. For more than six unpaid seats the form sends us a request, and we answer within one business day: {website}/enrol

On dates of your own: we teach a course of ours for your group alone, or write one for you. There is no list price. You get a quotation in Australian dollars including GST, which shows what each part costs and until when you can accept it. You pay by bank transfer on a tax invoice, and we can put your purchase order number on it.

For a quotation, please tell me:

- how many people, and in which roles
- what should be different afterwards
- online or in person, and where they are
- any date that cannot move');
