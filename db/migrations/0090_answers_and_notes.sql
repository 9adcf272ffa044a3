-- phase: expand
-- Answers have templates (P81), an email of staff can be taken back for a minute (P79), and notes can be about all that is in
-- the inbox. The release before writes none of it, and reads an answer that was taken back as a change of state.

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

-- An answer that did not go out: its text is kept for whoever writes the next one.
alter table enquiry_acts drop constraint enquiry_acts_kind_check;
alter table enquiry_acts add constraint enquiry_acts_kind check (kind in ('answer', 'note', 'state', 'taken-back')) not valid;

-- Whether staff may take it back while it waits.
alter table mails add column can_take_back boolean not null default false;

alter table notes drop constraint notes_about_kind_check;
alter table notes add constraint notes_about_kind check (about_kind in
  ('enrolment', 'person', 'session', 'payment', 'enquiry', 'conversation', 'booking')) not valid;

-- Notes go with what they are about, whoever erases it.
create function erase_notes() returns trigger language plpgsql as $$
begin
  delete from notes where about_kind = tg_argv[0] and about_id = old.id;
  return null;
end $$;
create trigger erase_notes after delete on people for each row execute function erase_notes('person');
create trigger erase_notes after delete on enquiries for each row execute function erase_notes('enquiry');
create trigger erase_notes after delete on conversations for each row execute function erase_notes('conversation');
create trigger erase_notes after delete on bookings for each row execute function erase_notes('booking');
