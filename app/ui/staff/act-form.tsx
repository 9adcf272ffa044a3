import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { Form, Link, useNavigation } from 'react-router';
import type { Permission } from '#app/lib/permission-names.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { type ActLook, actButton } from './button.ts';

/** The permissions of the signed-in person, and the roles with a permission in words, such as `An owner`. */
export type May = { has: (permission: Permission) => boolean; who: (permission: Permission) => string };

export const MayContext = createContext<May>({ has: () => true, who: () => '' });

/** The frame of all pages for staff. */
export const MayProvider = MayContext.Provider;

type Props = {
  /** Null where the buttons say which act it is. */
  act: string | null;
  form: FormState;
  /** The permission that sending it takes. Without it the form is not shown. */
  needs: Permission;
  /** Named for its act; null for one of several forms of the same act. */
  id?: string | null;
  /** The address it is sent to, when it is not the page's own. */
  to?: string;
  /** The layout of its fields. */
  className?: string;
  /** Fields that nobody fills in. */
  carries?: Readonly<Record<string, string | number>>;
  /** The text of its button; a form with several has them among its fields, as `SendButton`. */
  submit?: ReactNode;
  /** How its button looks: `primary` beside a way back, else `quiet`. */
  look?: ActLook;
  /** The page for a person who does not want the act. */
  back?: string;
  /** Whether the page stays where it was scrolled to when it is shown again. */
  stays?: boolean;
  children?: ReactNode;
} & Pick<ComponentProps<typeof Form>, 'ref' | 'encType' | 'onInput' | 'onKeyDown'>;

/**
 * A form that does something. It carries which act it is, the key under which it is taken once, and what its page had
 * seen of the acts of others (P25).
 */
export function ActForm({
  act,
  form,
  needs,
  id = act && `${act}-form`,
  to,
  className = 'grid gap-3',
  carries = {},
  submit,
  back,
  look = back ? 'primary' : 'quiet',
  stays = true,
  children,
  ...rest
}: Props) {
  if (!useContext(MayContext).has(needs)) return null;
  return (
    <Form
      id={id ?? undefined}
      method="post"
      action={to}
      noValidate
      preventScrollReset={stays}
      className={className}
      {...rest}
    >
      {act && <input type="hidden" name="act" value={act} />}
      <input type="hidden" name={tokenField} value={form.token} />
      <input type="hidden" name="seen" value={form.values.seen} />
      {Object.entries(carries).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {submit && !back && (
        <div className="self-end">
          <SendButton look={look}>{submit}</SendButton>
        </div>
      )}
      {back && (
        <div className="flex flex-wrap gap-3">
          <SendButton id={id ? sendId(id) : undefined} look={look}>
            {submit}
          </SendButton>
          <Link to={back} className={actButton.quiet}>
            Go back without changes
          </Link>
        </div>
      )}
    </Form>
  );
}

/** A button that sends its form; not twice. While it sends it keeps the focus, which a disabled button loses. */
export function SendButton({ look = 'quiet', onClick, ...rest }: { look?: ActLook } & ComponentProps<'button'>) {
  // Until the answer is shown its form has the key of the act before, under which a second one is not taken.
  const sending = useNavigation().formMethod === 'POST';
  return (
    <button
      type="submit"
      aria-disabled={sending || undefined}
      {...rest}
      onClick={(event) => (sending ? event.preventDefault() : onClick?.(event))}
      className={actButton[look]}
    />
  );
}

const sendId = (formId: string) => `${formId}-send`;

/**
 * For the keyboard: a link past the effects of an act, which may have a link for each person, to the button of a form,
 * by that button's name. It shows while it has the focus.
 */
export function ToSendButton({ formId, name }: { formId: string; name: string }) {
  return (
    <a
      href={`#${sendId(formId)}`}
      className="sr-only font-semibold text-link underline underline-offset-3 focus:not-sr-only"
    >
      Go to “{name}”
    </a>
  );
}

/** The text of one of several buttons with the same text; screen readers also read its subject. */
export function ButtonText({ about, children }: { about: string; children: string }) {
  return (
    <>
      {children}
      <span className="sr-only"> {about}</span>
    </>
  );
}

/** Shows its content only to people with the permission. */
export function OnlyWith({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useContext(MayContext).has(permission) ? children : null;
}

/** Tells staff who may only read a page who can change it. */
export function WhoMay({ needs, what = 'change this' }: { needs: Permission; what?: string }) {
  const may = useContext(MayContext);
  if (may.has(needs)) return null;
  return (
    <p className="mb-6 max-w-prose text-sm text-mute print:hidden">
      {may.who(needs)} can {what}. Your role can only read it.
    </p>
  );
}

/** Tells staff who may not do an expected act who can. */
export function WhoElse({ needs, can }: { needs: Permission; can: string }) {
  const may = useContext(MayContext);
  if (may.has(needs)) return null;
  return (
    <p className="my-3 max-w-prose text-sm text-mute print:hidden">
      {may.who(needs)} can {can}. Please ask one of them.
    </p>
  );
}
