<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>lockkeeper::app::cli</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>waits %1 for %2</source>
        <translation>已等待 %1，等待的锁：%2</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待的锁：%1</translation>
    </message>
    <message>
        <source>blocks %1, %2 of them directly; %3 of waiting</source>
        <translation>阻塞 %1 个会话（直接阻塞 %2 个），累计等待 %3</translation>
    </message>
    <message>
        <source>transaction %1</source>
        <translation>事务已持续 %1</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>已空闲 %1</translation>
    </message>
    <message>
        <source>a kill rolls back %1 changed rows</source>
        <translation>终止它会回滚 %1 行变更</translation>
    </message>
    <message>
        <source>a prepared XA transaction, no connection</source>
        <translation>已准备的 XA 事务，没有对应的连接</translation>
    </message>
    <message>
        <source>never killed: a replication, system or monitoring connection</source>
        <translation>复制、系统或监控连接，绝不会被终止</translation>
    </message>
    <message>
        <source>DEADLOCK</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>locks the whole table %1 (%2 rows): a statement without a usable index, probably</source>
        <translation>锁住了整张表 %1（%2 行）：很可能是语句没有可用的索引</translation>
    </message>
    <message>
        <source>also blocked by %1</source>
        <translation>同时被 %1 阻塞</translation>
    </message>
    <message>
        <source>deadlock: %1</source>
        <translation>死锁：%1</translation>
    </message>
    <message>
        <source>read %1 from %2</source>
        <translation>读取于 %1，依据：%2</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个会话在等待</translation>
    </message>
    <message>
        <source>no waiters</source>
        <translation>无等待者</translation>
    </message>
    <message>
        <source>not all of it: there was more than the agent reads</source>
        <translation>未列全：超出了 Agent 的读取上限</translation>
    </message>
    <message>
        <source>%1 blocks %2 by %3; %4 of waiting</source>
        <translation>%1 阻塞 %2 个会话，所持的锁：%3；累计等待 %4</translation>
    </message>
    <message>
        <source>several addresses have to be redis://HOST:PORT/DB of one database and user</source>
        <translation>给出多个地址时，必须都是 redis://HOST:PORT/DB 的形式，且数据库和用户相同</translation>
    </message>
    <message>
        <source>Scan other stores one by one</source>
        <translation>请逐个扫描其他存储</translation>
    </message>
    <message>
        <source>the journal has no events: what was before isn&apos;t known</source>
        <translation>日志库中没有事件：无从得知此前的情况</translation>
    </message>
    <message>
        <source>the journal begins at %1 %2: what was before isn&apos;t known</source>
        <translation>日志库始于 %1 %2：无从得知此前的情况</translation>
    </message>
    <message>
        <source>Active for %1, epoch %2</source>
        <translation>处于活动状态已 %1，任期 %2</translation>
    </message>
    <message>
        <source>Standby for %1; active is %2</source>
        <translation>处于待命状态已 %1；处于活动状态的是 %2</translation>
    </message>
    <message>
        <source>Agent %1, version %2, up %3, at event %4 (kept from %5)</source>
        <translation>Agent %1，版本 %2，已运行 %3，最新事件 %4（保留自事件 %5）</translation>
    </message>
    <message>
        <source>Journal %1 MiB, %2 MiB free, sessions: %3, times in %4</source>
        <translation>日志库 %1 MiB，磁盘剩余 %2 MiB，会话数：%3，时区：%4</translation>
    </message>
    <message>
        <source>the journal or its audit is incomplete: %1</source>
        <translation>日志库或其审计不完整：%1</translation>
    </message>
    <message>
        <source>the journal can&apos;t write: %1</source>
        <translation>日志库无法写入：%1</translation>
    </message>
    <message>
        <source>
%1: missing %2: %3
</source>
        <translation>
%1：缺少权限 %2：%3
</translation>
    </message>
    <message>
        <source>~: may have changed by then: its next change can&apos;t be dated more exactly, or a part of its source wasn&apos;t seen.</source>
        <translation>~：当时可能已有变化：下一次变化的时间无法更精确地确定，或其数据源的一部分未被观测。</translation>
    </message>
    <message>
        <source>--trust is for an agent over TLS whose certificate no trusted authority has signed</source>
        <translation>--trust 只用于经 TLS 连接、且证书未经受信任的 CA 签发的 Agent</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>请去掉该选项</translation>
    </message>
    <message>
        <source>nothing there</source>
        <translation>无内容</translation>
    </message>
    <message>
        <source>the holder&apos;s token</source>
        <translation>持有者的令牌</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>令牌 %1</translation>
    </message>
    <message>
        <source>something else there</source>
        <translation>有其他内容</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>released</source>
        <translation>已强制释放</translation>
    </message>
    <message>
        <source>holder changed</source>
        <translation>持有者已变</translation>
    </message>
    <message>
        <source>already free</source>
        <translation>已空闲</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝执行</translation>
    </message>
    <message>
        <source>would be released, nothing was written</source>
        <translation>试运行：可以强制释放，未写入任何内容</translation>
    </message>
    <message>
        <source>unreachable, counts as held</source>
        <translation>无法连接，视为仍被持有</translation>
    </message>
    <message>
        <source>unknown, counts as held</source>
        <translation>未知，视为仍被持有</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>held on %1 of %2</source>
        <translation>在 %2 个节点中的 %1 个上被持有</translation>
    </message>
    <message>
        <source>%1; not on %2</source>
        <translation>%1；以下节点上未被该持有者持有：%2</translation>
    </message>
    <message>
        <source>A subcommand is required</source>
        <translation>请给出一个子命令</translation>
    </message>
    <message>
        <source>%1 is required</source>
        <translation>缺少必填参数 %1</translation>
    </message>
    <message>
        <source>The following argument was not expected: %1</source>
        <translation>多余的参数：%1</translation>
    </message>
    <message>
        <source>The following arguments were not expected: %1</source>
        <translation>多余的参数：%1</translation>
    </message>
    <message>
        <source>%1: %2 not in %3</source>
        <translation>%1：%2 不在 %3 之中</translation>
    </message>
    <message>
        <source>%1: %2 required %3 missing</source>
        <translation>%1：缺少 %2 个类型为 %3 的值</translation>
    </message>
    <message>
        <source>%1: At Most %2 required but received %3</source>
        <translation>%1：最多给出 %2 个值，实际给出了 %3 个</translation>
    </message>
    <message>
        <source>%1 requires %2</source>
        <translation>使用 %1 时必须同时给出 %2</translation>
    </message>
    <message>
        <source>%1 excludes %2</source>
        <translation>%1 与 %2 不能同时使用</translation>
    </message>
    <message>
        <source>Could not convert: %1 = %2</source>
        <translation>无法识别的值：%1 = %2</translation>
    </message>
    <message>
        <source>Use one of: %1</source>
        <translation>请使用其中之一：%1</translation>
    </message>
    <message>
        <source>Did you mean &apos;%1&apos;?</source>
        <translation>是否指“%1”？</translation>
    </message>
    <message>
        <source>only this source</source>
        <translation>只列出该数据源</translation>
    </message>
    <message>
        <source>since this time: RFC 3339, or -15m</source>
        <translation>起始时间：RFC 3339 格式，或 -15m</translation>
    </message>
    <message>
        <source>until this time</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>held (and healthy), free, expired, stuck, contended</source>
        <translation>held（被持有且无异常）、free（空闲）、expired（已过期）、stuck（卡死）、contended（争用中）</translation>
    </message>
    <message>
        <source>as it was at this time: RFC 3339, -15m, 02:00, &quot;yesterday 22:00&quot;</source>
        <translation>该时刻的状态：RFC 3339 格式、-15m、02:00 或 &quot;yesterday 22:00&quot;</translation>
    </message>
    <message>
        <source>severity (default: the worst first; with --json as they come), name, source, held (the longest first), remaining (the least first), waiters (the most first)</source>
        <translation>severity（默认，最严重的在前；使用 --json 时按到达顺序）、name、source、held（持有最久的在前）、remaining（剩余最少的在前）、waiters（等待者最多的在前）</translation>
    </message>
    <message>
        <source>events after this sequence number; 0: all available</source>
        <translation>此序号之后的事件；0：现有的全部事件</translation>
    </message>
    <message>
        <source>end after this long: 500ms, 30s, 10m, 2h</source>
        <translation>经过这段时间后结束：500ms、30s、10m、2h</translation>
    </message>
    <message>
        <source>also print renewals, which aren&apos;t journalled</source>
        <translation>也输出不写入日志库的续期</translation>
    </message>
    <message>
        <source>exit with status 3 when the link is lost</source>
        <translation>连接断开时以状态码 3 结束</translation>
    </message>
    <message>
        <source>only events of this kind; may be repeated</source>
        <translation>只输出此类事件；可重复给出</translation>
    </message>
    <message>
        <source>only events with a greater sequence number</source>
        <translation>只列出序号更大的事件</translation>
    </message>
    <message>
        <source>only events with a smaller sequence number</source>
        <translation>只列出序号更小的事件</translation>
    </message>
    <message>
        <source>maximum number, 0: all (default 1000)</source>
        <translation>最多条数，0：全部（默认 1000）</translation>
    </message>
    <message>
        <source>since this time: RFC 3339, or -15m (default -1h)</source>
        <translation>起始时间：RFC 3339 格式，或 -15m（默认 -1h）</translation>
    </message>
    <message>
        <source>until this time (default now)</source>
        <translation>截止时间（默认为现在）</translation>
    </message>
    <message>
        <source>maximum number (default 20, at most 1000)</source>
        <translation>最多条数（默认 20，上限 1000）</translation>
    </message>
    <message>
        <source>the source whose clients to observe</source>
        <translation>要监听其客户端的数据源</translation>
    </message>
    <message>
        <source>how long: 500ms, 2s (default), at most 10s</source>
        <translation>时长：500ms、2s（默认），最长 10s</translation>
    </message>
    <message>
        <source>end after this number of commands (default 100000)</source>
        <translation>达到此命令数后结束（默认 100000）</translation>
    </message>
    <message>
        <source>the reason, for the audit</source>
        <translation>原因，写入审计</translation>
    </message>
    <message>
        <source>don&apos;t ask for confirmation</source>
        <translation>不要求确认</translation>
    </message>
    <message>
        <source>the lock&apos;s source</source>
        <translation>锁所在的数据源</translation>
    </message>
    <message>
        <source>the lock&apos;s name as &apos;locks&apos; shows it</source>
        <translation>锁的名称，如 locks 所示</translation>
    </message>
    <message>
        <source>the lock&apos;s place in the source, if the name is ambiguous</source>
        <translation>锁在数据源中的位置，用于仅凭名称无法区分时</translation>
    </message>
    <message>
        <source>the lock&apos;s scheme, if the name is ambiguous</source>
        <translation>锁方案，用于仅凭名称无法区分时</translation>
    </message>
    <message>
        <source>release only what this owner holds</source>
        <translation>只强制释放由该持有者持有的锁</translation>
    </message>
    <message>
        <source>release only this acquisition (&apos;guard&apos; of &apos;locks --json&apos;)</source>
        <translation>只强制释放这一次获取（locks --json 中的 guard）</translation>
    </message>
    <message>
        <source>the claim to check; expired and stuck also require that it wasn&apos;t renewed</source>
        <translation>强制释放的依据；expired 和 stuck 还要求此后未续期</translation>
    </message>
    <message>
        <source>only if it wasn&apos;t renewed since the agent showed the guard&apos;s acquisition</source>
        <translation>仅当 Agent 显示该 guard 所指的获取之后未续期</translation>
    </message>
    <message>
        <source>check everything, write nothing</source>
        <translation>试运行：检查全部条件，不写入任何内容</translation>
    </message>
    <message>
        <source>if a second person must approve: wait for the decision and the outcome</source>
        <translation>须经另一人审批时：等待审批及其结果</translation>
    </message>
    <message>
        <source>the agent&apos;s address: local:PATH, ssh://[USER@]HOST[:PORT][/SOCKET], tls://HOST[:PORT], or a name in your agents.toml (default: LOCKKEEPER_AGENT); may be repeated to query several agents</source>
        <translation>Agent 的地址：local:PATH、ssh://[USER@]HOST[:PORT][/SOCKET]、tls://HOST[:PORT]，或 agents.toml 中的名称（默认取 LOCKKEEPER_AGENT）；可重复给出，以同时查询多个 Agent</translation>
    </message>
    <message>
        <source>over TLS: log in as this user</source>
        <translation>经 TLS：以该用户登录</translation>
    </message>
    <message>
        <source>over TLS: the password&apos;s source, env:NAME or file:PATH (default: prompt)</source>
        <translation>经 TLS：密码的来源，env:NAME 或 file:PATH（未给出时会提示输入）</translation>
    </message>
    <message>
        <source>over TLS: your certificate, used as the login</source>
        <translation>经 TLS：自己的证书，即用证书登录</translation>
    </message>
    <message>
        <source>its private key (default: in the same file)</source>
        <translation>证书的私钥（默认在同一文件中）</translation>
    </message>
    <message>
        <source>over TLS: the authorities that sign the agent&apos;s certificate</source>
        <translation>经 TLS：签发 Agent 证书的 CA</translation>
    </message>
    <message>
        <source>over TLS: trust the agent with this fingerprint from now on (see lockkeeper-agent --fingerprint)</source>
        <translation>经 TLS：从现在起以此指纹识别该 Agent，指纹由 lockkeeper-agent --fingerprint 输出</translation>
    </message>
    <message>
        <source>JSON Lines: one object a line</source>
        <translation>JSON Lines：每行一个对象</translation>
    </message>
    <message>
        <source>print the version</source>
        <translation>输出版本号</translation>
    </message>
    <message>
        <source>the lock&apos;s store: redis://HOST:PORT/0, mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH, …</source>
        <translation>锁所在的存储：redis://HOST:PORT/0、mysql://USER@HOST/DATABASE、postgresql://…、sqlite:PATH 等</translation>
    </message>
    <message>
        <source>instead of --store: an agent&apos;s configuration, for mapped tables and TLS</source>
        <translation>代替 --store：Agent 的配置文件，用于自定义表和 TLS</translation>
    </message>
    <message>
        <source>with --config: the source in it</source>
        <translation>与 --config 同用：配置中的数据源</translation>
    </message>
    <message>
        <source>the lock&apos;s scheme: redis.token, sql.shedlock, …</source>
        <translation>锁方案：redis.token、sql.shedlock 等</translation>
    </message>
    <message>
        <source>ZooKeeper: grant others rights on the znodes, as world:anyone:r</source>
        <translation>ZooKeeper：授予他人对 znode 的权限，如 world:anyone:r</translation>
    </message>
    <message>
        <source>the password&apos;s source: env:NAME or file:PATH</source>
        <translation>密码的来源：env:NAME 或 file:PATH</translation>
    </message>
    <message>
        <source>the lock&apos;s name, byte by byte</source>
        <translation>锁的名称，逐字节使用</translation>
    </message>
    <message>
        <source>lease length; renewed at one third of it: 30s, 10m</source>
        <translation>租期；每过三分之一续期一次：30s、10m</translation>
    </message>
    <message>
        <source>how long to wait for the lock before ending with status 75; 0s: don&apos;t wait (default: no limit)</source>
        <translation>等待锁的最长时间，之后以状态码 75 结束；0s：不等待（默认：一直等待）</translation>
    </message>
    <message>
        <source>when the lock is lost while COMMAND runs: term (default; KILL follows), kill, ignore</source>
        <translation>COMMAND 运行期间失去锁时的处理：term（默认，之后发送 KILL）、kill、ignore</translation>
    </message>
    <message>
        <source>delay between TERM and KILL (default 10s)</source>
        <translation>发送 TERM 之后多久发送 KILL（默认 10s）</translation>
    </message>
    <message>
        <source>SQL: create the table if it is missing</source>
        <translation>SQL：表不存在时创建</translation>
    </message>
    <message>
        <source>a TOML file: stores, locks, workers and their behaviour</source>
        <translation>TOML 文件：存储、锁、工作者及其行为</translation>
    </message>
    <message>
        <source>the random seed (default: the scenario&apos;s)</source>
        <translation>随机种子（默认取自场景）</translation>
    </message>
    <message>
        <source>end after this long (default: the scenario&apos;s, or never)</source>
        <translation>经过这段时间后结束（默认取自场景，否则不结束）</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用法</translation>
    </message>
    <message>
        <source>OPTIONS</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>SUBCOMMAND</source>
        <translation>子命令</translation>
    </message>
    <message>
        <source>Positionals</source>
        <translation>位置参数</translation>
    </message>
    <message>
        <source>REQUIRED</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>须同时给出</translation>
    </message>
    <message>
        <source>Excludes</source>
        <translation>不能同时给出</translation>
    </message>
    <message>
        <source>Print this help message and exit</source>
        <translation>输出此帮助并退出</translation>
    </message>
    <message>
        <source>Subcommands</source>
        <translation>子命令</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>示例：</translation>
    </message>
    <message>
        <source>agent, sources, links, lag, counts, gaps</source>
        <translation>Agent、数据源、连接、延迟、计数、观测中断</translation>
    </message>
    <message>
        <source>the current problems, in one screen</source>
        <translation>一屏概览：当前有无异常</translation>
    </message>
    <message>
        <source>the live table, or as it was at a time</source>
        <translation>实时锁表，或某一时刻的锁表</translation>
    </message>
    <message>
        <source>events as they come</source>
        <translation>实时输出事件</translation>
    </message>
    <message>
        <source>events from the journal, oldest first</source>
        <translation>日志库中的事件，最早的在前</translation>
    </message>
    <message>
        <source>who held a lock, from when to when, how it ended</source>
        <translation>锁的持有记录：持有者、起止时间、结束方式</translation>
    </message>
    <message>
        <source>maximum number, newest first (default 200, at most 1000)</source>
        <translation>最多条数，最新的在前（默认 200，上限 1000）</translation>
    </message>
    <message>
        <source>as it was at this time, by the locks&apos; holders and waiters</source>
        <translation>该时刻的状态，以锁的持有者和等待者为依据</translation>
    </message>
    <message>
        <source>locks ranked by waiting, with wait and hold times</source>
        <translation>按等待时间排行的锁，含等待和持有时长</translation>
    </message>
    <message>
        <source>count clients&apos; attempts for a moment, by MONITOR</source>
        <translation>用 MONITOR 短暂统计客户端的加锁尝试</translation>
    </message>
    <message>
        <source>guarded force-release; prints the outcome</source>
        <translation>有校验的强制释放，并输出结果</translation>
    </message>
    <message>
        <source>your identity and your permissions at the agent</source>
        <translation>当前身份及其在 Agent 上的权限</translation>
    </message>
    <message>
        <source>force-releases that await approval by a second person</source>
        <translation>等待另一人审批的强制释放</translation>
    </message>
    <message>
        <source>approve another person&apos;s request, and release the lock</source>
        <translation>审批通过他人的申请，并强制释放该锁</translation>
    </message>
    <message>
        <source>reject a request, or withdraw your own</source>
        <translation>驳回申请，或撤回自己的申请</translation>
    </message>
    <message>
        <source>the request, as &apos;approvals&apos; lists it</source>
        <translation>申请编号，如 approvals 所列</translation>
    </message>
    <message>
        <source>the reason, for the requester and the audit</source>
        <translation>原因，供申请人查看并写入审计</translation>
    </message>
    <message>
        <source>force-releases: who, what, when, why, outcome</source>
        <translation>强制释放记录：操作人、锁、时间、原因、结果</translation>
    </message>
    <message>
        <source>verify the chain of entries</source>
        <translation>校验审计链</translation>
    </message>
    <message>
        <source>the agent&apos;s audit.key.pub: the chain must be signed with its key</source>
        <translation>Agent 的 audit.key.pub：审计链必须由其密钥签名</translation>
    </message>
    <message>
        <source>with --verify: the number of records that the audit must have</source>
        <translation>与 --verify 同用：审计必须至少有这么多条记录</translation>
    </message>
    <message>
        <source>print the number of records and the last one&apos;s hash, for a ticket or another machine; with --verify and HASH: the audit must have a record with this hash</source>
        <translation>输出记录数和最后一条记录的哈希，以便写入工单或保存到另一台机器；与 --verify 和 HASH 同用：审计中必须有哈希与之相同的记录</translation>
    </message>
    <message>
        <source>maximum number, newest first, 0: all (default 1000)</source>
        <translation>最多条数，最新的在前，0：全部（默认 1000）</translation>
    </message>
    <message>
        <source>history or live table to a file</source>
        <translation>将历史或实时锁表导出到文件</translation>
    </message>
    <message>
        <source>csv or json (JSON Lines)</source>
        <translation>csv 或 json（JSON Lines）</translation>
    </message>
    <message>
        <source>the live table (default)</source>
        <translation>实时锁表（默认）</translation>
    </message>
    <message>
        <source>events from the journal</source>
        <translation>日志库中的事件</translation>
    </message>
    <message>
        <source>the file, replaced as a whole (default: standard output)</source>
        <translation>目标文件，整体替换；默认为标准输出</translation>
    </message>
    <message>
        <source>redis://HOST:PORT/0, mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH; several of Redis: the nodes of a Redlock</source>
        <translation>redis://HOST:PORT/0、mysql://USER@HOST/DATABASE、postgresql://…、sqlite:PATH；多个 Redis 地址：Redlock 的各节点</translation>
    </message>
    <message>
        <source>also list tables or keys that aren&apos;t locks, with the reason</source>
        <translation>也列出与锁无关的表或键，并说明原因</translation>
    </message>
    <message>
        <source>the agent scans from its own machine (needs the admin role)</source>
        <translation>由 Agent 从其所在机器扫描（需要 admin 角色）</translation>
    </message>
    <message>
        <source>hold a lock while the command after -- runs, like flock across machines</source>
        <translation>在 -- 之后的命令运行期间持有锁，如同跨机器的 flock</translation>
    </message>
    <message>
        <source>connect standard input and output to the local agent (used by ssh:// addresses)</source>
        <translation>将标准输入输出接到本机的 Agent：ssh:// 地址运行的就是它</translation>
    </message>
    <message>
        <source>there is no command &apos;%1&apos;. %2</source>
        <translation>没有命令“%1”。%2</translation>
    </message>
    <message>
        <source>--agent: this command doesn&apos;t query an agent. Remove the option</source>
        <translation>--agent：此命令不查询 Agent，请去掉该选项</translation>
    </message>
    <message>
        <source>this command queries a single agent. Use --agent once</source>
        <translation>此命令只用于一个 Agent，请只保留一个 --agent</translation>
    </message>
    <message>
        <source>--since: each agent numbers its own events. Remove the option, or query one agent</source>
        <translation>--since：各 Agent 的事件分别编号。请去掉该选项，或只查询一个 Agent</translation>
    </message>
    <message>
        <source>--after, --before: each agent numbers its own events. Use --from and --to, or query one agent</source>
        <translation>--after、--before：各 Agent 的事件分别编号。请使用 --from 和 --to，或只查询一个 Agent</translation>
    </message>
    <message>
        <source>Shows and force-releases distributed locks through a lockkeeper-agent.</source>
        <translation>通过 lockkeeper-agent 查看和强制释放分布式锁。</translation>
    </message>
    <message>
        <source>%1. See lockkeeperctl --help</source>
        <translation>%1。请参阅 lockkeeperctl --help</translation>
    </message>
    <message>
        <source>it ended early: the command limit was reached</source>
        <translation>提前结束：已达到命令数上限</translation>
    </message>
    <message>
        <source>it ended early: the commands were too long</source>
        <translation>提前结束：命令过长</translation>
    </message>
    <message>
        <source>it ended early: the agent couldn&apos;t keep up</source>
        <translation>提前结束：Agent 来不及处理</translation>
    </message>
    <message>
        <source>not recorded by this scheme</source>
        <translation>该锁方案不记录</translation>
    </message>
    <message>
        <source>The program behind the connection isn&apos;t stopped. It sees an error, and may connect and begin again.</source>
        <translation>连接背后的程序不会停止。它会收到错误，并可能重新连接、重新开始。</translation>
    </message>
    <message>
        <source>Release does not stop the holder. If it is running, it keeps writing unless the resource checks a fencing token.</source>
        <translation>强制释放不会停止持有者。若它仍在运行，除非资源校验防护令牌（fencing token），否则它会继续写入。</translation>
    </message>
    <message>
        <source>%1 has no source &quot;%2&quot;</source>
        <translation>%1 中没有数据源“%2”</translation>
    </message>
    <message>
        <source>the store&apos;s address is not a URL</source>
        <translation>存储的地址不是 URL</translation>
    </message>
    <message>
        <source>Write for example mysql://USER@HOST:3306/DATABASE</source>
        <translation>请写成例如 mysql://USER@HOST:3306/DATABASE</translation>
    </message>
    <message>
        <source>the store&apos;s address contains a password</source>
        <translation>存储的地址中含有密码</translation>
    </message>
    <message>
        <source>Remove it and add --password env:NAME or --password file:PATH</source>
        <translation>请去掉密码，并添加 --password env:NAME 或 --password file:PATH</translation>
    </message>
    <message>
        <source>--acl is for locks in ZooKeeper alone</source>
        <translation>--acl 只用于 ZooKeeper 中的锁</translation>
    </message>
    <message>
        <source>The source has: %1</source>
        <translation>该数据源有：%1</translation>
    </message>
    <message>
        <source>no lock set of the source &quot;%1&quot; matches this lock</source>
        <translation>数据源“%1”没有适用于此锁的锁集</translation>
    </message>
    <message>
        <source>several lock sets of the source &quot;%1&quot; match this lock: add --scheme or --table</source>
        <translation>数据源“%1”有多个锁集适用于此锁：请给出 --scheme 或 --table</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>stuck</source>
        <translation>卡死</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>contended</source>
        <translation>争用中</translation>
    </message>
    <message>
        <source>expiring</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>optimistic</source>
        <translation>乐观锁</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>As of %1 %2</source>
        <translation>截至 %1 %2</translation>
    </message>
    <message>
        <source>%1: its part %2 wasn&apos;t seen then: its locks may have changed (~)</source>
        <translation>%1：其部分 %2 当时未被观测，其中的锁可能已有变化（~）</translation>
    </message>
    <message>
        <source>%1: not seen then, last at %2; its locks are as last known</source>
        <translation>%1：当时未被观测，最后一次观测在 %2；其锁为最后已知的状态</translation>
    </message>
    <message>
        <source>%1: not seen then, nor before</source>
        <translation>%1：当时及此前均未被观测</translation>
    </message>
    <message>
        <source>&apos;%1&apos; isn&apos;t a time</source>
        <translation>“%1”不是有效的时间</translation>
    </message>
    <message>
        <source>Write 2026-11-21T02:51:13Z, 02:51, &quot;yesterday 22:00&quot;, 2026-11-20, or -15m for fifteen minutes ago</source>
        <translation>请写成 2026-11-21T02:51:13Z、02:51、&quot;yesterday 22:00&quot;、2026-11-20，或用 -15m 表示十五分钟前</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>?: this scheme doesn&apos;t show waiters, only how fast and how often the lock changes hands</source>
        <translation>?：该锁方案不显示等待者，只能得知锁换手的快慢和频次</translation>
    </message>
    <message>
        <source>Standby for %1; no active agent is known</source>
        <translation>处于待命状态已 %1；没有已知处于活动状态的 Agent</translation>
    </message>
    <message>
        <source>only names that match this glob</source>
        <translation>只列出名称匹配此通配符的锁</translation>
    </message>
    <message>
        <source>only places that match this glob: a database, a table</source>
        <translation>只列出位置（数据库、表）匹配此通配符的锁</translation>
    </message>
    <message>
        <source>only locks whose names match this glob, and gaps in the observation of the source</source>
        <translation>只输出名称匹配此通配符的锁，以及数据源的观测中断</translation>
    </message>
    <message>
        <source>only events that bring a lock into this state, and gaps in the observation</source>
        <translation>只输出使锁进入此状态的事件，以及观测中断</translation>
    </message>
    <message>
        <source>only locks whose names match this glob</source>
        <translation>只列出名称匹配此通配符的锁</translation>
    </message>
    <message>
        <source>with --if-not-renewed: the expires_us shown beside the guard in locks --json</source>
        <translation>与 --if-not-renewed 同用：locks --json 中与 guard 一同显示的 expires_us</translation>
    </message>
    <message>
        <source>SQL: the table (sql.shedlock: shedlock by default)</source>
        <translation>SQL：表名（sql.shedlock 默认为 shedlock）</translation>
    </message>
    <message>
        <source>the holder&apos;s name, for others to read (default: host, process, user and command)</source>
        <translation>供他人查看的持有者名称（默认：主机、进程、用户和命令）</translation>
    </message>
    <message>
        <source>locks whose names match this glob</source>
        <translation>名称匹配此通配符的锁</translation>
    </message>
    <message>
        <source>waiters and the holders that block them, if the store shows them: sessions, queues, registered waiters</source>
        <translation>等待者及阻塞它们的持有者（存储能提供时）：会话、队列、登记的等待者</translation>
    </message>
    <message>
        <source>scan a store, print a section for an agent&apos;s configuration</source>
        <translation>扫描存储，并输出可写入 Agent 配置的小节</translation>
    </message>
    <message>
        <source>acquire and release locks by a scenario, and print the events</source>
        <translation>按场景获取和释放锁，并输出所发生的事件</translation>
    </message>
    <message>
        <source>--public-key: each agent signs with its own key. Query one agent</source>
        <translation>--public-key：各 Agent 使用各自的密钥签名。请只查询一个 Agent</translation>
    </message>
    <message>
        <source>--head, --at-least: each agent has its own audit. Query one agent</source>
        <translation>--head、--at-least：各 Agent 有各自的审计。请只查询一个 Agent</translation>
    </message>
    <message>
        <source>--trust: each agent has its own certificate. Specify one agent</source>
        <translation>--trust：各 Agent 有各自的证书。请只给出一个 Agent</translation>
    </message>
    <message>
        <source>lowest level to log: debug, info, warning or error</source>
        <translation>最低日志级别：debug、info、warning 或 error</translation>
    </message>
    <message>
        <source>%1 is in the future</source>
        <translation>%1 尚未到来</translation>
    </message>
    <message>
        <source>Write &quot;yesterday 22:00&quot; for a time before today</source>
        <translation>今天之前的时间请写成例如 &quot;yesterday 22:00&quot;</translation>
    </message>
    <message>
        <source>there is no event named &apos;%1&apos;</source>
        <translation>没有名为“%1”的事件</translation>
    </message>
    <message>
        <source>&apos;%1&apos; isn&apos;t a number from 0</source>
        <translation>“%1”不是大于或等于 0 的整数</translation>
    </message>
    <message>
        <source>it lasts at most %1</source>
        <translation>最长为 %1</translation>
    </message>
    <message>
        <source>no agent watches a source named &apos;%1&apos;</source>
        <translation>没有 Agent 观测名为“%1”的数据源</translation>
    </message>
    <message>
        <source>Their sources are: %1</source>
        <translation>它们的数据源有：%1</translation>
    </message>
    <message>
        <source>no force-release waits for approval</source>
        <translation>没有等待审批的强制释放</translation>
    </message>
    <message>
        <source>a request is ID or AGENT/ID</source>
        <translation>申请应写成 ID 或 AGENT/ID</translation>
    </message>
    <message>
        <source>no agent is called &apos;%1&apos;</source>
        <translation>没有名为“%1”的 Agent</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl approvals&apos; names the agents</source>
        <translation>运行 lockkeeperctl approvals 可列出各 Agent 的名称</translation>
    </message>
    <message>
        <source>no agent has an open request %1</source>
        <translation>没有 Agent 有待审批的申请 %1</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl approvals&apos; lists them</source>
        <translation>运行 lockkeeperctl approvals 可列出这些申请</translation>
    </message>
    <message>
        <source>several agents have a request %1</source>
        <translation>有多个 Agent 存在申请 %1</translation>
    </message>
    <message>
        <source>a record&apos;s hash has 64 hexadecimal digits</source>
        <translation>记录的哈希为 64 位十六进制数字</translation>
    </message>
    <message>
        <source>Copy it from what &apos;lockkeeperctl audit --head&apos; printed</source>
        <translation>请从 lockkeeperctl audit --head 的输出中复制</translation>
    </message>
    <message>
        <source>it needs --verify</source>
        <translation>须与 --verify 同用</translation>
    </message>
    <message>
        <source>the audit is empty</source>
        <translation>审计为空</translation>
    </message>
    <message>
        <source>a ranking has 1 to 1000 locks</source>
        <translation>排行应为 1 到 1000 个锁</translation>
    </message>
    <message>
        <source>the range ends before it begins</source>
        <translation>时间范围的终点早于起点</translation>
    </message>
    <message>
        <source>no lock was waited for or changed hands in this time</source>
        <translation>这段时间内没有锁被等待或换手</translation>
    </message>
    <message>
        <source>there are more: raise --top</source>
        <translation>还有更多：请增大 --top</translation>
    </message>
    <message>
        <source>options of the live table and of the history are mixed</source>
        <translation>实时锁表的选项与历史的选项混用</translation>
    </message>
    <message>
        <source>Use --locks with --source, --state, --name, --place, --at, --sort, or --history with the options of &apos;history&apos;</source>
        <translation>请将 --locks 与 --source、--state、--name、--place、--at、--sort 同用，或将 --history 与 history 的选项同用</translation>
    </message>
    <message>
        <source>holds come at most 1000 at a time</source>
        <translation>一次最多列出 1000 条持有记录</translation>
    </message>
    <message>
        <source>Narrow --from and --to</source>
        <translation>请缩小 --from 和 --to 的范围</translation>
    </message>
    <message>
        <source>no hold matches</source>
        <translation>没有符合条件的持有记录</translation>
    </message>
    <message>
        <source>there are more: narrow them with --from and --to, or raise --limit</source>
        <translation>还有更多：请用 --from 和 --to 缩小范围，或增大 --limit</translation>
    </message>
    <message>
        <source>no lock matches</source>
        <translation>没有符合条件的锁</translation>
    </message>
    <message>
        <source>a probe lasts at most 10 s</source>
        <translation>探测最长 10 秒</translation>
    </message>
    <message>
        <source>a probe reads 1 to 10000000 commands</source>
        <translation>探测应查看 1 到 10000000 条命令</translation>
    </message>
    <message>
        <source>several agents watch a source named &apos;%1&apos;</source>
        <translation>有多个 Agent 观测名为“%1”的数据源</translation>
    </message>
    <message>
        <source>--guard or --holder is required</source>
        <translation>必须给出 --guard 或 --holder</translation>
    </message>
    <message>
        <source>Copy the guard from &apos;lockkeeperctl locks --json&apos;</source>
        <translation>请从 lockkeeperctl locks --json 中复制 guard</translation>
    </message>
    <message>
        <source>a guard is hexadecimal digits</source>
        <translation>guard 应为十六进制数字</translation>
    </message>
    <message>
        <source>Copy it from &apos;locks --json&apos;; where it is null, nothing stored identifies the acquisition, and only --holder can name it</source>
        <translation>请从 locks --json 中复制；若为 null，则存储的内容无法标识该次获取，只能用 --holder 指明</translation>
    </message>
    <message>
        <source>the reason is empty</source>
        <translation>原因为空</translation>
    </message>
    <message>
        <source>Enter a reason for the audit</source>
        <translation>请填写原因，以便写入审计</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in &apos;%2&apos; may be another lock at each agent</source>
        <translation>“%2”中的“%1”在各 Agent 处可能是不同的锁</translation>
    </message>
    <message>
        <source>the lock&apos;s store is missing</source>
        <translation>未指明锁所在的存储</translation>
    </message>
    <message>
        <source>Use --store URL, or --config FILE and --source NAME</source>
        <translation>请给出 --store URL，或 --config FILE 和 --source NAME</translation>
    </message>
    <message>
        <source>the lock&apos;s scheme is missing</source>
        <translation>未指明锁方案</translation>
    </message>
    <message>
        <source>Add --scheme, for example redis.token or sql.shedlock</source>
        <translation>请给出 --scheme，例如 redis.token 或 sql.shedlock</translation>
    </message>
    <message>
        <source>there is no command to run</source>
        <translation>没有要运行的命令</translation>
    </message>
    <message>
        <source>Put it after --: lockkeeperctl run … -- COMMAND</source>
        <translation>请写在 -- 之后：lockkeeperctl run … -- COMMAND</translation>
    </message>
    <message>
        <source>no alert, and none within the last day</source>
        <translation>没有告警，最近一天内也没有</translation>
    </message>
    <message>
        <source>no alert</source>
        <translation>没有告警</translation>
    </message>
    <message>
        <source>no receiver is configured</source>
        <translation>未配置接收端</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl alerts&apos; names the agents</source>
        <translation>&apos;lockkeeperctl alerts&apos; 会列出各 Agent 的名称</translation>
    </message>
    <message>
        <source>several agents or alerts have &apos;%1&apos;</source>
        <translation>有多个 Agent 或告警匹配 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>no agent has a receiver named &apos;%1&apos;</source>
        <translation>没有 Agent 有名为 &apos;%1&apos; 的接收端</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl alerts --receivers&apos; lists them</source>
        <translation>可用 &apos;lockkeeperctl alerts --receivers&apos; 列出</translation>
    </message>
    <message>
        <source>no agent has an alert with the id &apos;%1&apos;</source>
        <translation>没有 Agent 有 ID 为 &apos;%1&apos; 的告警</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl alerts&apos; lists them</source>
        <translation>可用 &apos;lockkeeperctl alerts&apos; 列出</translation>
    </message>
    <message>
        <source>list, acknowledge and snooze alerts, and test their receivers</source>
        <translation>列出、确认告警，暂停提醒，并测试接收端</translation>
    </message>
    <message>
        <source>list (default), ack, snooze or wake an alert, or test a receiver</source>
        <translation>list（默认）列出告警，ack 确认，snooze 暂停提醒，wake 恢复提醒，test 测试接收端</translation>
    </message>
    <message>
        <source>the alert, as the list shows it (unique first characters suffice); for test: a receiver</source>
        <translation>列表中显示的告警 ID（可缩写为不重复的开头字符）；test 时为接收端</translation>
    </message>
    <message>
        <source>snooze: how long: 15m, 4h, at most 7d</source>
        <translation>snooze：时长，如 15m、4h，最长 7d</translation>
    </message>
    <message>
        <source>list: also alerts that ended within the last day</source>
        <translation>list：包括最近一天内已结束的告警</translation>
    </message>
    <message>
        <source>list: the receivers instead of the alerts</source>
        <translation>list：列出接收端而不是告警</translation>
    </message>
    <message>
        <source>a list takes no id</source>
        <translation>list 不接受 ID</translation>
    </message>
    <message>
        <source>the receiver is missing: alerts test RECEIVER</source>
        <translation>缺少接收端：alerts test RECEIVER</translation>
    </message>
    <message>
        <source>the alert is missing: alerts VERB ID</source>
        <translation>缺少告警：alerts VERB ID</translation>
    </message>
    <message>
        <source>a snooze has an end</source>
        <translation>暂停提醒必须有时长</translation>
    </message>
    <message>
        <source>Add --for 4h</source>
        <translation>请加上 --for 4h</translation>
    </message>
    <message>
        <source>only a snooze has a length</source>
        <translation>只有 snooze 可以指定时长</translation>
    </message>
    <message>
        <source>only a list takes this option</source>
        <translation>只有 list 接受该选项</translation>
    </message>
    <message>
        <source>--receivers lists no alerts</source>
        <translation>--receivers 不列出告警</translation>
    </message>
    <message>
        <source>receiver %1 has failed since %2: %3</source>
        <translation>接收端 %1 自 %2 起故障：%3</translation>
    </message>
    <message>
        <source>what to change at the locks, from the evidence of a range of time</source>
        <translation>根据一段时间内的证据，指出哪些锁需要调整</translation>
    </message>
    <message>
        <source>since this time: RFC 3339, or -15m (default -24h)</source>
        <translation>自此时间起：RFC 3339 格式，或 -15m（默认 -24h）</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>not everything was read: choose a shorter range, a source or a lock</source>
        <translation>未能全部读取：请缩小范围，或指定数据源或锁</translation>
    </message>
    <message>
        <source>only %1% of the range was observed</source>
        <translation>只观测了此范围的 %1%</translation>
    </message>
    <message>
        <source>no advice: %1 holds of %2 locks show no fault</source>
        <translation>没有建议：%2 个锁的 %1 次持有没有显示问题</translation>
    </message>
    <message>
        <source>the lock: a glob that matches only its name</source>
        <translation>锁：只匹配其名称的通配模式</translation>
    </message>
    <message>
        <source>only a lock whose place matches this glob</source>
        <translation>仅限位置匹配此通配模式的锁</translation>
    </message>
    <message>
        <source>since this time: RFC 3339, or -15m (default one hour before --to)</source>
        <translation>从此时间起：RFC 3339，或 -15m（默认为 --to 之前一小时）</translation>
    </message>
    <message>
        <source>rank locks (the default), waiters, or the holders or statements that others waited for</source>
        <translation>对锁（默认）、等待者，或他人所等待的持有者或语句排名</translation>
    </message>
    <message>
        <source>no client waited in this time</source>
        <translation>该时间内没有客户端等待</translation>
    </message>
    <message>
        <source>no client is known to have held a lock while others waited for it</source>
        <translation>没有发现他人等待期间确定的持有者</translation>
    </message>
    <message>
        <source>%1 of waiting isn&apos;t attributed: no hold with a known holder certainly lasted then</source>
        <translation>有 %1 的等待未归属：当时没有已知持有者的确定持有</translation>
    </message>
    <message>
        <source>there are too many alerts to list; older ones that are over are left out</source>
        <translation>告警过多，无法全部列出；已省略较早的已结束告警</translation>
    </message>
    <message>
        <source>an incident report about one lock, as one HTML or PDF file</source>
        <translation>关于一个锁的事故报告，写成单个 HTML 或 PDF 文件</translation>
    </message>
    <message>
        <source>the file, replaced as a whole (default: standard output); &quot;.pdf&quot; selects PDF</source>
        <translation>文件，整体替换（默认：标准输出）；以 “.pdf” 结尾则写入 PDF</translation>
    </message>
    <message>
        <source>print a script that completes lockkeeperctl&apos;s words in your shell</source>
        <translation>输出脚本，让您的 shell 补全 lockkeeperctl 的命令和选项</translation>
    </message>
    <message>
        <source>the shell</source>
        <translation>shell 的名称</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ActCommand</name>
    <message>
        <source>not every agent has answered, so the name may also exist at another one</source>
        <translation>并非所有 Agent 都已应答，因此所指的可能是另一个</translation>
    </message>
    <message>
        <source>Name the agent: AGENT/SOURCE, or AGENT/ID</source>
        <translation>请指明 Agent：AGENT/SOURCE 或 AGENT/ID</translation>
    </message>
    <message>
        <source>via agent %1</source>
        <translation>经由 Agent %1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::AlertCommand</name>
    <message>
        <source>no alert has the id &apos;%1&apos;</source>
        <translation>没有 ID 为 &apos;%1&apos; 的告警</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl alerts&apos; lists them; an id may be shortened to %1 characters</source>
        <translation>可用 &apos;lockkeeperctl alerts&apos; 列出；ID 可缩写为 %1 个字符</translation>
    </message>
    <message>
        <source>several alerts have an id that begins with &apos;%1&apos;</source>
        <translation>有多条告警的 ID 以 &apos;%1&apos; 开头</translation>
    </message>
    <message>
        <source>Use one of: %1</source>
        <translation>请使用其中之一：%1</translation>
    </message>
    <message>
        <source>Snoozed until %1: %2, %3.</source>
        <translation>已暂停提醒至 %1：%2，%3。</translation>
    </message>
    <message>
        <source>The snooze has ended: %1, %2.</source>
        <translation>已恢复提醒：%1，%2。</translation>
    </message>
    <message>
        <source>Acknowledged: %1, %2.</source>
        <translation>已确认：%1，%2。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::AuditCommand</name>
    <message>
        <source>%1 at %2 %3: the audit has %4 records. Compare later: lockkeeperctl audit --verify --at-least %4 --head %5</source>
        <comment>agent, time, zone, number, hash</comment>
        <translation>%1，%2 %3：审计有 %4 条记录。日后比对请运行：lockkeeperctl audit --verify --at-least %4 --head %5</translation>
    </message>
    <message>
        <source>the audit is empty</source>
        <translation>审计为空</translation>
    </message>
    <message>
        <source>Chain verified at %1 %2.</source>
        <translation>审计链校验通过（%1 %2）。</translation>
    </message>
    <message>
        <source>Compared with the head of %1 records that was signed at %2 %3.</source>
        <translation>已与 %2 %3 签名的 %1 条记录的链头比对。</translation>
    </message>
    <message>
        <source>Signed with this key until record %1 of %2.</source>
        <translation>前 %1 条记录（共 %2 条）由此密钥签名。</translation>
    </message>
    <message>
        <source>An incomplete audit was accepted: entry %1.</source>
        <translation>曾经不完整，后被接受：条目 %1。</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>条目 %1</translation>
    </message>
    <message>
        <source>its end</source>
        <translation>末尾</translation>
    </message>
    <message>
        <source>the chain of the audit is broken at %1: %2</source>
        <comment>entry, cause</comment>
        <translation>审计链在%1处断裂：%2</translation>
    </message>
    <message>
        <source>the audit has %1 records and should have %2: the last ones are missing</source>
        <translation>审计有 %1 条记录，应有 %2 条：缺少最后的若干条</translation>
    </message>
    <message>
        <source>no record of the audit has the hash %1: it was rewritten, or is another agent&apos;s</source>
        <translation>审计中没有哈希为 %1 的记录：审计被改写过，或属于另一个 Agent</translation>
    </message>
    <message>
        <source>the chain holds, but there was no earlier head to compare it with: a shorter chain, or another one, would look the same. Compare it with a head of your own (--at-least, --head), and see in the agent&apos;s log why none is kept beside its key</source>
        <translation>审计链自洽，但没有更早的链头可供比对：被截短或替换的链看起来也会如此。请与自行保存的链头比对（--at-least、--head），并在 Agent 的日志中查看其密钥旁为何没有保存链头</translation>
    </message>
    <message>
        <source>the audit isn&apos;t signed with this key. Compare it with the agent&apos;s audit.key.pub</source>
        <translation>审计不是由此密钥签名的。请与 Agent 的 audit.key.pub 比对</translation>
    </message>
    <message>
        <source>the last signature with this key is of %1 %2, at record %3 of %4. The agent&apos;s log says why it signs no more</source>
        <translation>此密钥的最后一次签名在 %1 %2，位于第 %3 条记录（共 %4 条）。Agent 的日志中有不再签名的原因</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::BridgeCommand</name>
    <message>
        <source>no agent at %1: %2</source>
        <translation>%1 处没有 Agent：%2</translation>
    </message>
    <message>
        <source>Start lockkeeper-agent on this machine</source>
        <translation>请在本机启动 lockkeeper-agent</translation>
    </message>
    <message>
        <source>a bridge leads to an agent of this machine only</source>
        <translation>bridge 只能通往本机的 Agent</translation>
    </message>
    <message>
        <source>Use --agent local:PATH</source>
        <translation>请给出 --agent local:PATH</translation>
    </message>
    <message>
        <source>a bridge needs a standard output</source>
        <translation>bridge 需要标准输出</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ChainsCommand</name>
    <message>
        <source>no source that is observed now shows chains</source>
        <translation>当前被观测的数据源都不显示等待链</translation>
    </message>
    <message>
        <source>no waiter for a lock of a connection is known at that time</source>
        <translation>据所知，当时无人等待连接所持的锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ChildProcess</name>
    <message>
        <source>%1 can&apos;t be executed: %2</source>
        <translation>无法执行 %1：%2</translation>
    </message>
    <message>
        <source>run needs a POSIX system: it has to end a whole process group</source>
        <translation>run 需要 POSIX 系统：它必须能结束整个进程组</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::Command</name>
    <message>
        <source>Password of %1 at %2: </source>
        <translation>%1 在 %2 的密码：</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::DecideCommand</name>
    <message>
        <source>Add --yes to approve without being asked</source>
        <translation>要不经确认直接审批通过，请添加 --yes</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>as it was asked for</source>
        <translation>与申请时相同</translation>
    </message>
    <message>
        <source>renewed since, or another acquisition than the one that was asked for</source>
        <translation>此后已续期，或已不是申请时的那次获取</translation>
    </message>
    <message>
        <source>Lock        %1 in %2</source>
        <translation>锁          %1（数据源：%2）</translation>
    </message>
    <message>
        <source>Asked by    %1: %2</source>
        <translation>申请人      %1：%2</translation>
    </message>
    <message>
        <source>Now         %1; its holder is %2</source>
        <translation>当前        %1；持有者：%2</translation>
    </message>
    <message>
        <source>Will run    %1</source>
        <translation>释放命令    %1</translation>
    </message>
    <message>
        <source>type &apos;yes&apos; to approve and release lock %1</source>
        <translation>要审批通过并强制释放锁 %1，请输入 yes</translation>
    </message>
    <message>
        <source>not confirmed, nothing was done</source>
        <translation>未确认，未执行任何操作</translation>
    </message>
    <message>
        <source>Rejected: request %1.</source>
        <translation>已驳回：申请 %1。</translation>
    </message>
    <message>
        <source>Approved and released: %1.</source>
        <translation>已审批通过并强制释放：%1。</translation>
    </message>
    <message>
        <source>request %1: %2</source>
        <translation>申请 %1：%2</translation>
    </message>
    <message>
        <source>standard input isn&apos;t a terminal, so the release can&apos;t be confirmed</source>
        <translation>标准输入不是终端，无法确认强制释放</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::DiscoverCommand</name>
    <message>
        <source>Found by the agent %1 from its machine: add this to its configuration.</source>
        <translation>由 Agent %1 在其所在机器上找到：请将以下内容加入它的配置。</translation>
    </message>
    <message>
        <source>Near misses:</source>
        <translation>疑似：</translation>
    </message>
    <message>
        <source>Other keys:</source>
        <translation>其他键：</translation>
    </message>
    <message>
        <source>Other tables:</source>
        <translation>其他表：</translation>
    </message>
    <message>
        <source>There are more keys than were scanned.</source>
        <translation>还有未扫描的键。</translation>
    </message>
    <message>
        <source>There are more tables than were scanned.</source>
        <translation>还有未扫描的表。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ExportLook</name>
    <message>
        <source>&apos;%1&apos; isn&apos;t written: not every agent has answered. Omit those agents, or write to standard output</source>
        <translation>未写入“%1”：并非所有 Agent 都已应答。请去掉未应答的 Agent，或写到标准输出</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ExportWriter</name>
    <message>
        <source>can&apos;t write &apos;%1&apos;: %2</source>
        <translation>无法写入“%1”：%2</translation>
    </message>
    <message>
        <source>Choose a file in a writable folder.</source>
        <translation>请给出位于可写文件夹中的文件。</translation>
    </message>
    <message>
        <source>Free disk space, or choose another file.</source>
        <translation>请腾出空间，或给出另一个文件。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::FanOut</name>
    <message>
        <source>this is the same agent as %1; it is queried once</source>
        <translation>与 %1 是同一个 Agent，只查询一次</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::HistoryCommand</name>
    <message>
        <source>the agent has started a new journal</source>
        <translation>Agent 已重新开始其日志库</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>请重新查询</translation>
    </message>
    <message>
        <source>no event matches</source>
        <translation>没有符合条件的事件</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::HistoryLook</name>
    <message>
        <source>no event matches</source>
        <translation>没有符合条件的事件</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::OverviewCommand</name>
    <message>
        <source>; without %1</source>
        <translation>；不含 %1</translation>
    </message>
    <message>
        <source>No waiter data for the last hour</source>
        <translation>最近一小时没有等待者数据</translation>
    </message>
    <message>
        <source>Waiters, last hour: average %1, peak %2 (%3 %4); data for %5 of %6 minutes</source>
        <translation>最近一小时的等待者：平均 %1，峰值 %2（%3 %4）；%6 分钟中有 %5 分钟的数据</translation>
    </message>
    <message>
        <source>%1 not observed %2 – %3 %4 (%5)</source>
        <translation>%1 观测中断：%2 – %3 %4（%5）</translation>
    </message>
    <message>
        <source>%1: and %2 more gaps</source>
        <translation>%1：另有 %2 段观测中断</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>and %1 more: lockkeeperctl locks</source>
        <translation>另有 %1 个：lockkeeperctl locks</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>%1: and %2 more: lockkeeperctl chains</source>
        <translation>%1：另有 %2 条：lockkeeperctl chains</translation>
    </message>
    <message>
        <source>The last hour, and the same hour before</source>
        <translation>最近一小时，以及此前的同一时段</translation>
    </message>
    <message>
        <source>No force-release in the last 24 hours</source>
        <translation>最近 24 小时没有强制释放</translation>
    </message>
    <message>
        <source>Force-releases in the last 24 hours: %1</source>
        <translation>最近 24 小时的强制释放：%1</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>the verdict</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Sessions that block others</source>
        <translation>阻塞其他会话的会话</translation>
    </message>
    <message>
        <source>Locks with the most waiting in the last hour</source>
        <translation>最近一小时等待最多的锁</translation>
    </message>
    <message>
        <source>agent started %1 ago</source>
        <translation>Agent 于 %1前启动</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ProbeCommand</name>
    <message>
        <source>Add --yes to probe without being asked</source>
        <translation>要不经确认直接探测，请添加 --yes</translation>
    </message>
    <message>
        <source>For %1 the server copies every command of every client to the agent, at most %2 of them, and is slower during the probe: a fully loaded server lost two thirds of its throughput in a measurement. The probe is audited. Type &apos;yes&apos; to begin</source>
        <translation>在 %1 内，服务器会把所有客户端的每条命令复制给 Agent（最多 %2 条），期间服务器会变慢：在满载的服务器上实测，吞吐量下降了三分之二。此次探测会写入审计。要开始，请输入 yes</translation>
    </message>
    <message>
        <source>not confirmed: nothing was done</source>
        <translation>未确认，未执行任何操作</translation>
    </message>
    <message>
        <source>%1 commands in %2</source>
        <translation>%2 内共 %1 条命令</translation>
    </message>
    <message>
        <source>%1 more were left out</source>
        <translation>另有 %1 项未列出</translation>
    </message>
    <message>
        <source>The server doesn&apos;t report results, so failed attempts can&apos;t be identified</source>
        <translation>服务器不报告结果，因此无法识别失败的尝试</translation>
    </message>
    <message>
        <source>standard input isn&apos;t a terminal, so the probe can&apos;t be confirmed</source>
        <translation>标准输入不是终端，无法确认探测</translation>
    </message>
    <message>
        <source>no client attempted to acquire a lock in this time</source>
        <translation>期间没有客户端尝试获取锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ReceiverTestCommand</name>
    <message>
        <source>A test message was delivered to %1.</source>
        <translation>测试消息已送达 %1。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ReleaseCommand</name>
    <message>
        <source>Add --yes to release without being asked, or --dry-run</source>
        <translation>要不经确认直接强制释放，请添加 --yes；试运行请添加 --dry-run</translation>
    </message>
    <message>
        <source>request %1 awaits approval until %2: another person runs &apos;lockkeeperctl approve %1&apos;</source>
        <translation>申请 %1 等待审批，截止 %2：请另一人运行 lockkeeperctl approve %1</translation>
    </message>
    <message>
        <source>decided by %1</source>
        <translation>审批人：%1</translation>
    </message>
    <message>
        <source>%n locks are named &apos;%1&apos;</source>
        <translation>有 %n 个名为“%1”的锁</translation>
    </message>
    <message>
        <source>Add one of: %1</source>
        <translation>请添加其中之一：%1</translation>
    </message>
    <message>
        <source>the agent watches no source named &apos;%1&apos;</source>
        <translation>该 Agent 未观测名为“%1”的数据源</translation>
    </message>
    <message>
        <source>Its sources are: %1</source>
        <translation>它的数据源有：%1</translation>
    </message>
    <message>
        <source>no lock of this name was ever seen here: %1 (as far back as the journal reaches)</source>
        <translation>从未观测到此名称的锁：%1（以日志库的保留范围为限）</translation>
    </message>
    <message>
        <source>no lock of this name was ever seen here with that place and scheme: %1 (as far back as the journal reaches)</source>
        <translation>从未观测到此名称且位置和锁方案相符的锁：%1（以日志库的保留范围为限）</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>not held</source>
        <translation>未被持有</translation>
    </message>
    <message>
        <source>it was renewed since it was read, or is another acquisition of the same client: read it again</source>
        <translation>读取之后它已续期，或已是同一客户端的另一次获取：请重新读取</translation>
    </message>
    <message>
        <source>it is another acquisition than the guard&apos;s</source>
        <translation>已不是该 guard 所指的那次获取</translation>
    </message>
    <message>
        <source>it was renewed in the meantime; %1</source>
        <translation>此后已续期；%1</translation>
    </message>
    <message>
        <source>it was renewed while you were asked, or another acquisition took its place</source>
        <translation>在等待确认期间它已续期，或已被另一次获取取代</translation>
    </message>
    <message>
        <source>another acquisition took its place while you were asked</source>
        <translation>在等待确认期间它已被另一次获取取代</translation>
    </message>
    <message>
        <source>it was renewed while you were asked</source>
        <translation>在等待确认期间它已续期</translation>
    </message>
    <message>
        <source>its holder is %1, for %2</source>
        <translation>持有者是 %1，已持有 %2</translation>
    </message>
    <message>
        <source>its holder is %1</source>
        <translation>持有者是 %1</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>no-expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>活动迹象</translation>
    </message>
    <message>
        <source>last renewal seen %1 ago</source>
        <translation>最近一次观测到的续期在 %1前</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>not shown by this scheme</source>
        <translation>该锁方案不显示</translation>
    </message>
    <message>
        <source>Its lease</source>
        <translation>所属租约</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>校验值</translation>
    </message>
    <message>
        <source>Will run</source>
        <translation>释放命令</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>审批</translation>
    </message>
    <message>
        <source>a second person must approve within 5 minutes</source>
        <translation>须由另一人在 5 分钟内审批</translation>
    </message>
    <message>
        <source>break = &quot;unsafe&quot; in its lock set would allow it, by name or plain value alone, even if another client has acquired it since</source>
        <translation>在其锁集中设置 break = &quot;unsafe&quot; 可允许强制释放：仅按名称或原值进行，即使此后已被其他客户端获取</translation>
    </message>
    <message>
        <source>type &apos;yes&apos; to force-release lock %1</source>
        <translation>要强制释放锁 %1，请输入 yes</translation>
    </message>
    <message>
        <source>not confirmed, nothing was done</source>
        <translation>未确认，未执行任何操作</translation>
    </message>
    <message>
        <source>Would be released: %1. Nothing was written.</source>
        <translation>试运行：可以强制释放 %1。未写入任何内容。</translation>
    </message>
    <message>
        <source>Released: %1.</source>
        <translation>已强制释放：%1。</translation>
    </message>
    <message>
        <source>Released: %1. Not replicated: a failover of the store may bring it back.</source>
        <translation>已强制释放：%1。尚未复制：存储发生故障切换时，该锁可能重新出现。</translation>
    </message>
    <message>
        <source>holder changed, nothing was done: %1</source>
        <translation>持有者已变，未执行任何操作：%1</translation>
    </message>
    <message>
        <source>already free: %1</source>
        <translation>已空闲：%1</translation>
    </message>
    <message>
        <source>the store can&apos;t be reached, nothing was done: %1</source>
        <translation>无法连接存储，未执行任何操作：%1</translation>
    </message>
    <message>
        <source>a release would await a second person&apos;s approval: %1. Nothing was written</source>
        <translation>试运行：强制释放须经另一人审批：%1。未写入任何内容</translation>
    </message>
    <message>
        <source>awaiting approval, nothing was done yet: %1. Another person must run &apos;lockkeeperctl approve %2&apos; within 5 minutes; &apos;lockkeeperctl approvals&apos; lists it</source>
        <translation>等待审批，尚未执行任何操作：%1。须由另一人在 5 分钟内运行 lockkeeperctl approve %2；运行 lockkeeperctl approvals 可列出该申请</translation>
    </message>
    <message>
        <source>rejected, nothing was done: %1</source>
        <translation>已驳回，未执行任何操作：%1</translation>
    </message>
    <message>
        <source>the request ended without a decision, nothing was done: %1</source>
        <translation>申请未经审批即失效，未执行任何操作：%1</translation>
    </message>
    <message>
        <source>refused: %1</source>
        <translation>拒绝执行：%1</translation>
    </message>
    <message>
        <source>released on some nodes only, and too few: %1</source>
        <translation>仅在部分节点上强制释放，节点数不足：%1</translation>
    </message>
    <message>
        <source>request %1 may still be decided; %2</source>
        <translation>申请 %1 仍可能被审批；%2</translation>
    </message>
    <message>
        <source>standard input isn&apos;t a terminal, so the release can&apos;t be confirmed</source>
        <translation>标准输入不是终端，无法确认强制释放</translation>
    </message>
    <message>
        <source>no lock of this name exists now</source>
        <translation>当前没有此名称的锁</translation>
    </message>
    <message>
        <source>&apos;lockkeeperctl locks&apos; lists the existing locks</source>
        <translation>运行 lockkeeperctl locks 可列出现有的锁</translation>
    </message>
    <message>
        <source>it isn&apos;t held now</source>
        <translation>当前未被持有</translation>
    </message>
    <message>
        <source>the data stored under its name now names no holder</source>
        <translation>该名称下当前存储的内容未说明持有者</translation>
    </message>
    <message>
        <source>this one isn&apos;t held; under the same name: %1</source>
        <translation>此锁未被持有；同名的锁由以下持有者持有：%1</translation>
    </message>
    <message>
        <source>nothing stored distinguishes this hold from the next one, so no release can be guarded</source>
        <translation>存储的内容无法将本次持有与下一次持有相区分，因此无法进行有校验的强制释放</translation>
    </message>
    <message>
        <source>outcome unknown: %1. It won&apos;t be repeated; check the lock and &apos;lockkeeperctl audit&apos;</source>
        <translation>结果未知：%1。不会重试；请查看该锁，并运行 lockkeeperctl audit</translation>
    </message>
    <message>
        <source>Its holder</source>
        <translation>持有者探测</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::ReportLook</name>
    <message>
        <source>several locks match: %1. Narrow them with --lock, --source and --place, or query one agent</source>
        <translation>有多个锁匹配：%1。请用 --lock、--source 和 --place 缩小范围，或只查询一个 Agent</translation>
    </message>
    <message>
        <source>no hold and no event of such a lock was seen in this time</source>
        <translation>这段时间内没有看到这样的锁的任何持有记录或事件</translation>
    </message>
    <message>
        <source>can&apos;t write &apos;%1&apos;: %2</source>
        <translation>无法写入“%1”：%2</translation>
    </message>
    <message>
        <source>PDF needs the console program &apos;lockkeeper&apos;, which isn&apos;t installed. Write HTML, and print it from a browser</source>
        <translation>写入 PDF 需要控制台程序 &apos;lockkeeper&apos;，但它未安装。请写入 HTML，再从浏览器打印</translation>
    </message>
    <message>
        <source>the console program didn&apos;t write &apos;%1&apos;</source>
        <translation>控制台程序未能写入 &apos;%1&apos;</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::RunCommand</name>
    <message>
        <source>its lease expired while this process was stopped</source>
        <translation>本程序暂停期间，租约已过期</translation>
    </message>
    <message>
        <source>Use a lock set of another scheme</source>
        <translation>请使用其他锁方案的锁集</translation>
    </message>
    <message>
        <source>the lock %1 is held by another client</source>
        <translation>锁 %1 由其他客户端持有</translation>
    </message>
    <message>
        <source>the lock %1 was lost: %2</source>
        <translation>已失去锁 %1：%2</translation>
    </message>
    <message>
        <source>%1. The command continues without it</source>
        <translation>%1。命令在没有锁的情况下继续运行</translation>
    </message>
    <message>
        <source>%1. The command gets SIGTERM</source>
        <translation>%1。向命令发送 SIGTERM</translation>
    </message>
    <message>
        <source>%1. The command is killed</source>
        <translation>%1。终止命令（SIGKILL）</translation>
    </message>
    <message>
        <source>the lock %1 was lost before the command had ended</source>
        <translation>命令结束之前已失去锁 %1</translation>
    </message>
    <message>
        <source>a lock of %1 has no holder: two commands would run at once</source>
        <translation>%1 的锁没有持有者：两个命令会同时运行</translation>
    </message>
    <message>
        <source>the lock %1 couldn&apos;t be released; it ends with its lease: %2</source>
        <translation>未能释放锁 %1，它会随租约过期：%2</translation>
    </message>
    <message>
        <source>the lock %1 couldn&apos;t be released, and stays: %2</source>
        <translation>未能释放锁 %1，它会继续存在：%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::StandardOutput</name>
    <message>
        <source>can&apos;t write to standard output: %1</source>
        <translation>无法写到标准输出：%1</translation>
    </message>
    <message>
        <source>The output is incomplete</source>
        <translation>已输出的内容不完整</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::WatchCommand</name>
    <message>
        <source>connected again</source>
        <translation>已重新连接</translation>
    </message>
    <message>
        <source>The journal doesn&apos;t reach back to event %1. Events after %2 follow.</source>
        <translation>日志库没有早至事件 %1 的记录。以下是 %2 之后的事件。</translation>
    </message>
    <message>
        <source>the link is lost: %1</source>
        <translation>连接已断开：%1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::cli::WhoAmICommand</name>
    <message>
        <source>%1 at %2, proven by: %3</source>
        <translation>%1，位于 %2，身份验证方式：%3</translation>
    </message>
    <message>
        <source>%1  sources: %2  locks: %3</source>
        <translation>%1  数据源：%2  锁：%3</translation>
    </message>
    <message>
        <source>sees nothing else</source>
        <translation>看不到其他内容</translation>
    </message>
</context>
</TS>
