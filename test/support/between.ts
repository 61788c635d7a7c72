/** A query on its way to the database. */
export interface Query {
  text: string;
  values: unknown[];
  /** What the database itself prepared. */
  statement: D1PreparedStatement;
}

/** Stands on the way of a call: gets its queries (a batch has several), and sends them with `go`, or does not. */
export type Hook = (queries: Query[], go: () => unknown) => unknown;

/** The database, in sessions too, with a hook between it and whoever calls it. */
export function between<Target extends D1Database | D1DatabaseSession>(database: Target, hook: Hook): Target {
  const known = new WeakMap<D1PreparedStatement, Query>();

  const prepared = (query: Query): D1PreparedStatement => {
    const { statement, text } = query;
    const hooked = withMethods(statement, (name, call) => {
      if (name === "bind")
        return (...values) => prepared({ text, values, statement: call(...values) as D1PreparedStatement });
      return (...args) => hook([query], () => call(...args));
    });
    known.set(hooked, query);
    return hooked;
  };

  const hooked = <Source extends D1Database | D1DatabaseSession>(source: Source): Source =>
    withMethods(source, (name, call) => {
      if (name === "withSession") return (...args) => hooked(call(...args) as D1DatabaseSession);
      if (name === "prepare") {
        return (text) => prepared({ text: String(text), values: [], statement: call(text) as D1PreparedStatement });
      }
      if (name !== "batch") return call;
      return (statements) => {
        const queries = (statements as D1PreparedStatement[]).map(
          (statement) => known.get(statement) ?? { text: "", values: [], statement },
        );
        return hook(queries, () => source.batch(queries.map(({ statement }) => statement)));
      };
    });
  return hooked(database);
}

type Call = (...args: unknown[]) => unknown;

/** The same object, its methods replaced by what `replace` makes of each. */
export function withMethods<Target extends object>(
  target: Target,
  replace: (name: string | symbol, call: Call) => Call,
): Target {
  return new Proxy(target, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return replace(name, (...args) => Reflect.apply(value, target, args) as unknown);
    },
  });
}
