// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/alert_words.h"

namespace lockkeeper::agent::alerts {

namespace {

QString u(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

AlertWords englishWords()
{
    AlertWords words;
    words.conditions = {u("stuck"),
                        u("expired, but still there"),
                        u("deadlock"),
                        u("source unreachable"),
                        u("not observed"),
                        u("agent stalled"),
                        u("audit failing"),
                        u("reload failed"),
                        u("receiver failing"),
                        u("force-released"),
                        u("taken over"),
                        u("lost in a failover"),
                        u("long wait"),
                        u("much waiting in all"),
                        u("many waiters"),
                        u("held for long"),
                        u("held longer than usual"),
                        u("renewed too late"),
                        u("holder changes often"),
                        u("nobody holds it"),
                        u("heartbeat")};
    words.severities = {u("Info"), u("Warning"), u("Critical")};
    words.testMessage = u("Test message of the Lockkeeper agent %1");
    words.undelivered = u("%1 alerts from %2 to %3 UTC couldn't be delivered in time");
    words.alreadyOver = u("Already over (fired %1, over %2 UTC)");
    words.over = u("Over");
    words.joined = u("%1: %2");
    words.line = u("%1: %2");
    words.withThreshold = u("%1 (threshold %2)");
    words.severity = u("Severity");
    words.rule = u("Rule");
    words.agent = u("Agent");
    words.source = u("Source");
    words.lock = u("Lock");
    words.place = u("Place");
    words.holder = u("Holder");
    words.value = u("Value");
    words.since = u("Since (UTC)");
    words.fired = u("Fired (UTC)");
    words.acknowledgedBy = u("Acknowledged by");
    words.repeats = u("Fired again");
    words.cause = u("Cause");
    words.chain = u("Chain, root first");
    words.sessions = u("Sessions affected");
    words.count = u("Number");
    words.worst = u("Worst");
    words.liveness = u("Is the holder alive");
    words.livenessValue = u("%1 (asked %2 at %3 UTC)");
    words.verdicts = {u("unknown"), u("alive"), u("dead")};
    words.id = u("Alert");
    return words;
}

AlertWords chineseWords()
{
    AlertWords words;
    words.conditions = {
        u("卡死"),       u("已过期但未释放"),   u("死锁"),         u("数据源无法连接"), u("观测中断"),
        u("Agent 停顿"), u("审计写入失败"),     u("重新加载失败"), u("告警接收端故障"), u("被强制释放"),
        u("被接管"),     u("故障转移时丢失"),   u("等待过久"),     u("等待总时长过高"), u("等待者过多"),
        u("持有过久"),   u("持有时长远超以往"), u("续期过迟"),     u("持有者变更频繁"), u("无人持有"),
        u("心跳")};
    words.severities = {u("提示"), u("警告"), u("严重")};
    words.testMessage = u("来自 Lockkeeper Agent %1 的测试消息");
    words.undelivered = u("%2 至 %3（UTC）的 %1 条告警未能及时送达");
    words.alreadyOver = u("已结束（触发于 %1，结束于 %2，UTC）");
    words.over = u("已结束");
    words.joined = u("%1：%2");
    words.line = u("%1：%2");
    words.withThreshold = u("%1（阈值 %2）");
    words.severity = u("级别");
    words.rule = u("规则");
    words.agent = u("Agent");
    words.source = u("数据源");
    words.lock = u("锁");
    words.place = u("位置");
    words.holder = u("持有者");
    words.value = u("当前值");
    words.since = u("开始于（UTC）");
    words.fired = u("触发于（UTC）");
    words.acknowledgedBy = u("确认人");
    words.repeats = u("再次触发次数");
    words.cause = u("原因");
    words.chain = u("阻塞链（阻塞源头在前）");
    words.sessions = u("受影响的会话数");
    words.count = u("数量");
    words.worst = u("最严重的");
    words.liveness = u("持有者是否存活");
    words.livenessValue = u("%1（于 %3 UTC 探测 %2）");
    words.verdicts = {u("未知"), u("存活"), u("已失效")};
    words.id = u("告警编号");
    return words;
}

} // namespace

const AlertWords &wordsOf(config::AlertLanguage language)
{
    static const AlertWords english = englishWords();
    static const AlertWords chinese = chineseWords();
    return language == config::AlertLanguage::Chinese ? chinese : english;
}

} // namespace lockkeeper::agent::alerts
