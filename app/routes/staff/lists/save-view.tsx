import { href, Link } from 'react-router';
import type { ListName } from '#app/features/people/views.server.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { DropMenu } from '#app/ui/staff/drop-menu.tsx';

const look = 'flex min-h-9 cursor-pointer list-none items-center font-semibold text-mute hover:text-ink';

/** Saves what a list shows under a name; where that has one already, it only leads to the views. */
export function SaveView({
  list,
  query,
  form,
  isNamed,
}: {
  list: ListName;
  query: string;
  form: FormState;
  isNamed: boolean;
}) {
  return (
    <OnlyWith permission="views:save">
      {isNamed ? (
        <Link to={href('/staff/views')} className={look}>
          Saved views
        </Link>
      ) : (
        <DropMenu
          label="Save this view"
          button="Save this view"
          className={look}
          float="top-9 right-0 w-72 p-4 max-sm:right-auto max-sm:left-0"
        >
          <ActForm
            act="save"
            form={form}
            needs="views:save"
            to={href('/staff/views')}
            carries={{ list, query }}
            submit="Save"
            look="primary"
          >
            <label className="font-semibold">
              Name
              <input name="name" required maxLength={40} className={`${field} mt-1`} />
            </label>
            <p className="text-sm text-mute">
              It keeps the filters, the order and the columns, but no words of a search.{' '}
              <Link to={href('/staff/views')} className="underline">
                Saved views
              </Link>
            </p>
          </ActForm>
        </DropMenu>
      )}
    </OnlyWith>
  );
}
