import type { Services } from "../services.ts";

/**
 * Takes as long for an account that is unknown or has no password, so that timing tells nothing.
 * @param hash null when there is none @returns whether the password is right
 */
export async function checkPassword(
  { auth }: Pick<Services, "auth">,
  hash: string | null,
  password: string,
): Promise<boolean> {
  const { password: passwords } = await auth.$context;
  if (hash !== null) return passwords.verify({ hash, password });
  await passwords.hash(password);
  return false;
}
