/** What statements cost the database, by its own account. */
export interface Weight {
  rows: number;
  ms: number;
}

/**
 * A database that remembers the statements it was asked, so that they can be weighed: each that only reads is asked once
 * more, for what D1 says of it.
 */
export function weighing(database: D1Database): { DB: D1Database; weigh: () => Promise<Weight> } {
  const asked = new Set<D1PreparedStatement>();
  const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  const watch = (statement: D1PreparedStatement, isRead: boolean): D1PreparedStatement => {
    const watched: D1PreparedStatement = new Proxy(statement, {
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => watch(target.bind(...values), isRead);
        if (isRead) asked.add(target);
        return value.bind(target) as unknown;
      },
    });
    plain.set(watched, statement);
    if (isRead) asked.delete(statement);
    return watched;
  };

  const wrap = <Target extends D1Database | D1DatabaseSession>(target: Target): Target =>
    new Proxy(target, {
      get(_, name): unknown {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "withSession") return () => wrap(database.withSession());
        if (name === "prepare") return (sql: string) => watch(target.prepare(sql), /^\s*select\b/i.test(sql));
        if (name !== "batch") return value.bind(target) as unknown;
        return (statements: D1PreparedStatement[]) => {
          const real = statements.map((each) => plain.get(each) ?? each);
          for (const each of real) asked.add(each);
          return target.batch(real);
        };
      },
    });

  const weigh = async (): Promise<Weight> => {
    const weight = { rows: 0, ms: 0 };
    for (const statement of asked) {
      const { meta } = await statement.all();
      weight.rows += meta.rows_read;
      weight.ms += meta.duration;
    }
    return weight;
  };
  return { DB: wrap(database), weigh };
}
