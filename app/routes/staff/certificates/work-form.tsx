import type { FormState } from '#app/ui/form-state.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Panel } from '#app/ui/staff/typography.tsx';
import type { ShownCandidate } from './shown-candidates.server.ts';

/** The form that accepts work, for attendees without a certificate whose course asks for work (P61). */
export function WorkForm({ people, form }: { people: readonly ShownCandidate[]; form: FormState }) {
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
