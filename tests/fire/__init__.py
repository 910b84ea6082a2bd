"""Workers killed, brokers gone, databases restarted, clocks gone mad: what is due happens once
(`script/fire clocks`).
"""
