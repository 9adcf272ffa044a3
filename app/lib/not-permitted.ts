/** Thrown where somebody would do or read what their role does not include; nothing of it is done. */
export class NotPermitted extends Error {
  /** The missing permission, as `area:verb`. */
  readonly permission: string;
  constructor(permission: string) {
    super(`${permission} is not permitted`);
    this.permission = permission;
  }
}
