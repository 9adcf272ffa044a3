import { sql } from 'kysely';
import { listEnrolments, countEnrolments } from '#app/features/enrolments/desk/enrolments.server.ts';
import { listSessions } from '#app/features/enrolments/desk/sessions.server.ts';
import { countTodo } from '#app/features/enrolments/desk/todo.server.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { test } from 'vitest';
test('measure', async () => {
  const t = await createTestDatabase('academyTemplate');
  const db = t.db;
  const n = 100_000;
  for (const tbl of ['enrolments', 'attendees', 'tax_invoices', 'payments', 'places']) await sql.raw(`alter table ${tbl} disable trigger user`).execute(db);
  const t0 = performance.now();
  await sql.raw(`insert into enrolments (reference,title,buyer_name,email,mailbox,payer,organisation,terms_version,placed_at,changed_at)
    select 'BB-'||translate(upper(lpad(to_hex(g),6,'0')),'01','ZY'), 'CISSP', (array['Mary','Percy','Jane','Ann','Emily','Olga'])[1+g%6]||' '||(array['Shelley','Austen','Lister','Bronte','Novak','Nguyen','Smith'])[1+g%7]||g%977, 'p'||g||'@example.org','p'||g||'@example.org','person',null,'2025-01-01', timestamptz '2020-01-01'+g*interval '20 min', now()
    from generate_series(1,${n}) g`).execute(db);
  await sql`insert into attendees (enrolment_id,name,email) select id, buyer_name, email from enrolments`.execute(db);
  await sql`insert into places (enrolment_id,attendee_id,course_id,way,training_session_id,price_cents,placed_at,state,cancelled_at,cancelled_why,choose_by,choose_why)
    select e.id,a.id,s.course_id,case when e.id%500=0 then 'next-date' else 'session' end, case when e.id%500=0 then null else s.id end,229900,e.placed_at,
      case when e.id%50=1 then 'cancelled' else 'active' end, case when e.id%50=1 then now() end, case when e.id%50=1 then (case when e.id%100=1 then 'buyer' else 'session' end) end, case when e.id%400=2 then date '2025-09-20' end, case when e.id%400=2 then 'session-cancelled' end
    from enrolments e join attendees a on a.enrolment_id=e.id join (select id,course_id,row_number() over () r,count(*) over () c from training_sessions) s on s.r=1+e.id%s.c`.execute(db);
  await sql`insert into tax_invoices (number,enrolment_id,issued_on,total_cents,gst_cents,facts,created_at) select row_number() over (order by id), id, placed_at::date, 229900, 20900, jsonb_build_object('dueOn',(placed_at::date+14)::text), placed_at from enrolments`.execute(db);
  await sql`insert into payments (enrolment_id,amount_cents,received_on,method,source,recorded_at) select id, case when id%300=5 then 240000 else 229900 end, placed_at::date,'bank','m'||id,placed_at from enrolments where id%25<>3 and id<99000`.execute(db);
  for (const tbl of ['enrolments', 'attendees', 'tax_invoices', 'payments', 'places']) await sql.raw(`alter table ${tbl} enable trigger user`).execute(db);
  const t1 = performance.now();
  await sql`select index_enrolment(id) from enrolments order by id`.execute(db);
  console.log('rows', Math.round(t1 - t0), 'index', Math.round(performance.now() - t1));
  await sql`vacuum analyze`.execute(db);
  const none = { state: null, search: '', session: null, before: null } as const;
  const cases: Record<string, () => Promise<unknown>> = {};
  for (const state of [null, 'unpaid', 'overdue', 'overpaid', 'waiting', 'choosing', 'session', 'cancelled'] as const) {
    cases[`state ${state}`] = () => listEnrolments(db, { ...none, state }, '2025-09-08');
    cases[`state ${state} deep`] = () => listEnrolments(db, { ...none, state, before: 40_000 }, '2025-09-08');
  }
  for (const search of ['shelley12', 'mary', 'mary shelley', 'p4711', 'INV-04711', 'example', 'zzz']) cases[`search ${search}`] = () => listEnrolments(db, { ...none, search }, '2025-09-08');
  cases['search mary unpaid'] = () => listEnrolments(db, { ...none, search: 'mary', state: 'unpaid' }, '2025-09-08');
  const { slug } = await db.selectFrom('training_sessions').select('slug').executeTakeFirstOrThrow();
  cases['session'] = () => listEnrolments(db, { ...none, session: slug }, '2025-09-08');
  cases['session unpaid'] = () => listEnrolments(db, { ...none, session: slug, state: 'unpaid' }, '2025-09-08');
  cases['todo'] = () => countTodo(db, '2025-09-08');
  cases['count overdue'] = () => countEnrolments(db, 'overdue', '2025-09-08', 999);
  cases['sessions'] = () => listSessions(db, { when: 'upcoming', search: '', page: 1 }, '2025-09-08');
  for (const [name, run] of Object.entries(cases)) {
    await run();
    const times = [];
    for (let i = 0; i < 15; i++) { const s = performance.now(); await run(); times.push(performance.now() - s); }
    times.sort((a, b) => a - b);
    console.log(name.padEnd(24), 'median', times[7]?.toFixed(1), 'p95', times[13]?.toFixed(1), JSON.stringify((await run() as any)?.enrolments?.length ?? ''));
  }
  await t.drop();
}, 300_000);
