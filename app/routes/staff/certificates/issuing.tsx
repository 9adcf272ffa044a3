import { href } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { FileLink, Panel, Pill, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { ShownCandidate } from './shown-candidates.server.ts';
import { workBox } from './work-box.ts';

type Props = { people: readonly ShownCandidate[]; form: FormState };

/**
 * The attendees who can get a certificate, who have one, and who cannot get one and why; and the button that issues
 * them (P64).
 */
export function Issuing({ people, form }: Props) {
  const ready = people.filter(({ standing }) => standing === 'ready');
  const issued = people.filter(({ standing }) => standing === 'issued');
  const refused = people.filter(({ standing }) => standing === 'refused');
  const open = ready.filter(({ work, workAccepted }) => work !== null && workAccepted === null);
  const works = [...new Set(open.flatMap(({ work }) => work ?? []))];
  // Once work is recorded one by one, nobody is ticked whose work is not.
  const byOne = people.some(({ workAccepted }) => workAccepted !== null);
  return (
    <div className="grid gap-8">
      <WorkForm people={people} form={form} />
      <Panel title={`Ready (${ready.length})`}>
        {ready.length === 0 ? (
          <Words>
            {issued.length > 0 ? 'Everybody who meets the rule has a certificate.' : 'Nobody meets the rule yet.'}
          </Words>
        ) : (
          <ActForm
            act="issue"
            form={form}
            needs="certificates:issue"
            className="grid gap-4"
            look="primary"
            submit={ready.length === 1 ? 'Issue the certificate' : 'Issue certificates'}
          >
            <ul className="border-t border-rule">
              {ready.map((person) => (
                <li key={person.placeId} className="border-b border-line">
                  <label className="flex items-start gap-3 py-2.5">
                    <input
                      type="checkbox"
                      name={person.box}
                      defaultChecked={person.before === null && !(byOne && open.includes(person))}
                      className="mt-0.5 shrink-0"
                    />
                    <span className="min-w-0">
                      <b className="wrap-anywhere">{person.name}</b>
                      <span className="tabular block text-sm text-mute">
                        {person.met}
                        {person.workAccepted && `; work accepted on ${person.workAccepted}`}
                      </span>
                      {person.before && <span className="block text-sm font-semibold">{person.before}</span>}
                      {person.remark && <span className="block text-sm font-semibold">{person.remark}</span>}
                      {!person.hasEmail && (
                        <span className="block text-sm">No email address: we email nobody. Print the certificate.</span>
                      )}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
            {works.length > 0 && (
              <div className="grid max-w-prose gap-2">
                <p>Besides, the course asks for work. When they enrolled, its page said:</p>
                {works.map((work) => (
                  <blockquote key={work} className="border-l-3 border-rule pl-3 text-sm">
                    {work}
                  </blockquote>
                ))}
                <label className="flex items-start gap-3">
                  <input
                    type="checkbox"
                    name={workBox}
                    required
                    defaultChecked={form.values[workBox] === 'on'}
                    className="mt-0.5 shrink-0"
                  />
                  <span>The work of everybody ticked above was accepted.</span>
                </label>
              </div>
            )}
            <p className="max-w-prose text-sm text-mute">
              You can undo each certificate for 15 minutes. The email to its holder goes out after that.
            </p>
          </ActForm>
        )}
      </Panel>
      {refused.length > 0 && (
        <Panel title={`No certificate (${refused.length})`}>
          <Rows
            rows={refused}
            keyOf={({ placeId }) => placeId}
            columns="md:grid-cols-[15rem_minmax(0,1fr)]"
            label="No certificate"
          >
            {({ name, why, before, remark }) => (
              <>
                <b className="wrap-anywhere">{name}</b>
                <div className="tabular text-sm">
                  {why.map((one) => (
                    <p key={one}>{one}</p>
                  ))}
                  {before && <p className="font-semibold">{before}</p>}
                  {remark && <p className="font-semibold">{remark}</p>}
                </div>
              </>
            )}
          </Rows>
        </Panel>
      )}
      {issued.length > 0 && (
        <Panel title={`Issued (${issued.length})`}>
          <Rows
            rows={issued}
            keyOf={({ placeId }) => placeId}
            columns="md:grid-cols-[15rem_minmax(0,1fr)_auto]"
            label="Issued"
            roomy
          >
            {({ name, number, shownNumber, issuedAt, undoUntil }) => (
              <>
                <b className="wrap-anywhere">{name}</b>
                <div className="tabular text-sm">
                  <p className="flex flex-wrap gap-x-4">
                    <OnlyWith permission="certificates:read">
                      <TextLink to={href('/staff/certificates/:number', { number })}>{shownNumber}</TextLink>
                    </OnlyWith>{' '}
                    <TextLink to={href('/certificates/:number', { number })}>Public page</TextLink>{' '}
                    <FileLink to={href('/staff/certificates/:number/certificate.pdf', { number })}>PDF</FileLink>
                  </p>
                  <p className="text-mute">{issuedAt}</p>
                </div>
                {undoUntil ? (
                  <ActForm
                    act="undo"
                    id={null}
                    form={form}
                    needs="certificates:issue"
                    carries={{ number }}
                    className=""
                  >
                    <button
                      type="submit"
                      className="min-h-8 font-semibold text-link underline-offset-3 hover:underline"
                    >
                      <ButtonText about={`the certificate of ${name}`}>{`Undo until ${undoUntil}`}</ButtonText>
                    </button>
                  </ActForm>
                ) : (
                  <Pill look="calm">Issued</Pill>
                )}
              </>
            )}
          </Rows>
        </Panel>
      )}
    </div>
  );
}

/** The form that accepts work, for attendees without a certificate whose course asks for work (P61). */
function WorkForm({ people, form }: { people: readonly ShownCandidate[]; form: FormState }) {
  const asked = people.filter(({ work }) => work !== null);
  if (asked.length === 0) return null;
  const works = [...new Set(asked.flatMap(({ work }) => work ?? []))];
  return (
    <Panel title="Work of the course">
      <ActForm act="work" form={form} needs="certificates:issue" className="grid gap-4" submit="Save accepted work">
        <p className="max-w-prose">
          Tick the people whose work you accept, when they hand it in. They see it on the page of their place. When they
          enrolled, the course page said:
        </p>
        {works.map((work) => (
          <blockquote key={work} className="max-w-prose border-l-3 border-rule pl-3 text-sm">
            {work}
          </blockquote>
        ))}
        <ul className="border-t border-rule">
          {asked.map(({ placeId, name, workBox, workAccepted }) => (
            <li key={placeId} className="border-b border-line">
              <input type="hidden" name={`was-${workBox}`} value={workAccepted ? 'on' : ''} />
              <label className="flex items-start gap-3 py-2.5">
                <input
                  // Anew once it is saved.
                  key={workAccepted}
                  type="checkbox"
                  name={workBox}
                  defaultChecked={workAccepted !== null}
                  className="mt-0.5 shrink-0"
                />
                <span className="min-w-0">
                  <b className="wrap-anywhere">{name}</b>
                  <span className="block text-sm text-mute">
                    {workAccepted ? `Accepted on ${workAccepted}` : 'Not accepted yet'}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </ActForm>
    </Panel>
  );
}
